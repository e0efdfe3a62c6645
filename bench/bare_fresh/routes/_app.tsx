import type { ComponentChildren } from "preact";

export default function App({ children }: { readonly children: ComponentChildren }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Bare</title>
      </head>
      <body>{children}</body>
    </html>
  );
}
