export { recordsOf } from "../../../server/pages/page_request.ts";
