// The bar on top of the API reference, and its head.
import type { ComponentChildren } from 'preact';

/** What the user chose; `system` follows the browser. */
export type DocumentTheme = 'system' | 'light' | 'dark';

const views = [
  { id: 'explorer', href: '/api/docs', label: 'API explorer' },
  { id: 'reference', href: '/api/redoc', label: 'API reference' },
] as const;

type View = (typeof views)[number]['id'];

interface ApiDocumentProps {
  view: View;
  css: string;
  specUrl: string;
  theme: DocumentTheme;
  children: ComponentChildren;
}

/** The whole HTML document of an API page, without the doctype. `children` follow the bar inside the body. */
export function ApiDocument({ view, css, specUrl, theme, children }: ApiDocumentProps) {
  const title = views.find(({ id }) => id === view)!.label;
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Groundcrew`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={css} />
      </head>
      <body>
        <nav class="api-bar" aria-label="API documents">
          <a href="/">Groundcrew</a>
          {views.map(({ id, href, label }) => (
            <a key={id} href={href} aria-current={id === view ? 'page' : undefined}>
              {label}
            </a>
          ))}
          <a href={specUrl}>OpenAPI document</a>
        </nav>
        <noscript>
          <p class="api-note">This view needs JavaScript. The OpenAPI document holds the same contract as JSON.</p>
        </noscript>
        {children}
      </body>
    </html>
  );
}

/** Address of a built file by its name in the manifest. */
export function assetPath(assets: Readonly<Record<string, string>>, name: string): string {
  return `/assets/${assets[name] ?? name}`;
}

/** The theme that the browser's cookie names, else the system's. */
export function documentTheme(cookie: string | undefined): DocumentTheme {
  return cookie === 'light' || cookie === 'dark' ? cookie : 'system';
}
