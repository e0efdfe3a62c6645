import { assertEquals } from "@std/assert";
import { MainNavigation } from "../../../components/page/shell.tsx";
import { htmlOf, textOf } from "../rendered.ts";

Deno.test("MainNavigation: marks the current page, or else its section", () => {
  const marks = {
    "/": ["Today: page"],
    "/schedules": ["Schedules: page"],
    "/schedules/102/plan": ["Schedules: true"],
    "/schedules-of-others": [],
    "/preferences": ["Preferences: page"],
  };
  for (const [pathname, expected] of Object.entries(marks)) {
    const marked = htmlOf(<MainNavigation pathname={pathname} />)
      .matchAll(/<a [^>]*aria-current="(\w+)"[^>]*>(.*?)<\/a>/gs);
    assertEquals([...marked].map(([, mark, name]) => `${textOf(name)}: ${mark}`), expected);
  }
});
