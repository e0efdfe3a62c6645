import { assertEquals } from "@std/assert";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { renderToString } from "preact-render-to-string";
import { Provided } from "../../../components/ui/provided.ts";

const Name = createContext("nobody");
const Place = createContext("nowhere");

function Words() {
  return <i>{useContext(Name)} is {useContext(Place)}</i>;
}

Deno.test("Provided: gives the nearest value of its context below", () => {
  const html = renderToString(
    <>
      <Provided context={Name} value="Ada">
        <Words />
        <Provided context={Place} value="here">
          <Provided context={Name} value="Bo">
            <Words />
          </Provided>
          <Words />
        </Provided>
      </Provided>
      <Words />
    </>,
  );
  assertEquals(
    html,
    "<i>Ada is nowhere</i><i>Bo is here</i><i>Ada is here</i><i>nobody is nowhere</i>",
  );
});
