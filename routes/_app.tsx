import "../components/ui/tokens.css";
import "../components/ui/ui.css";
import "../components/page/page.css";
import "../components/search/search.css";
import "../components/file_sets/file_sets.css";
import "../components/file_sets/drawer.css";
import "../components/runs/runs.css";
import { app } from "./$_app.ts";

export default app(({ children }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <title>Docket</title>
    </head>
    <body>{children}</body>
  </html>
));
