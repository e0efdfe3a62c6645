/** Completion of commands and options in shells. */
import { UsageError } from "./command.ts";
import { type CommandName, COMMANDS, OPTIONS, optionsOf, useOf } from "./options.ts";

/** The completion script for a shell: `bash`, `zsh` or `fish`. */
export function completion(shell: string): string {
  if (shell === "bash") return bash();
  // zsh reads completions of bash.
  if (shell === "zsh") return `autoload -U +X bashcompinit && bashcompinit\n${bash()}`;
  if (shell === "fish") return fish();
  throw new UsageError("completion needs a shell: bash, zsh or fish");
}

const names = Object.keys(COMMANDS) as CommandName[];

function bash(): string {
  const cases = names.map((name) => {
    const options = optionsOf(name).map((option) => `--${option}`).join(" ");
    return `    ${name}) words="${options}" ;;\n`;
  });
  return `_docket() {
  local words="${names.join(" ")} completion schema help"
  case "\${COMP_WORDS[1]}" in
${cases.join("")}  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${names.join(" ")} completion schema help --help --version"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _docket docket
`;
}

function fish(): string {
  const lines = names.map((name) =>
    `complete -c docket -n __fish_use_subcommand -f -a ${name} -d '${COMMANDS[name][1]}'\n` +
    optionsOf(name).map((option) => {
      const takes = OPTIONS[option].value === undefined ? "" : " -r";
      const words = useOf(option, name).replaceAll("'", "\\'");
      return `complete -c docket -n '__fish_seen_subcommand_from ${name}' -l ${option}${takes} -d '${words}'\n`;
    }).join("")
  );
  return lines.join("");
}
