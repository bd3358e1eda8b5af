// The document around every page. The caller puts the doctype before it. Nothing is inline: the CSP allows none of it.
import type { ComponentChildren } from 'preact';
import { Sprite } from '../components/icons.tsx';
import type { Assets, Theme } from './state.ts';

export interface DocumentProps {
  title: string;
  theme: Theme;
  assets: Assets;
  /** Whether the page reads itself again where no script does it. */
  refreshes?: boolean;
  /** Default: yes. What guests are shown needs none. */
  script?: boolean;
  children: ComponentChildren;
}

/** Seconds between two readings of a page without script. */
const REFRESH_SECONDS = 5;

export function Document({ title, theme, assets, refreshes = false, script = true, children }: DocumentProps) {
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
        <meta name="robots" content="noindex" />
        {refreshes && (
          <noscript>
            <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} />
          </noscript>
        )}
        <title>{`${title} · Groundcrew`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assets.css} />
        {script && <script type="module" src={assets.js} defer />}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Sprite />
        {children}
      </body>
    </html>
  );
}
