// /api/docs: the interactive API explorer (Swagger UI). It renders in the browser; the server sends only this frame.
import { ApiDocument, type DocumentTheme } from './api-bar.tsx';

export interface ApiExplorerProps {
  /** Addresses of the files that build/vendor.ts wrote. */
  assets: { js: string; css: string; init: string };
  specUrl: string;
  theme?: DocumentTheme;
}

/** The whole document, without the doctype; needs no relaxation of the content security policy. */
export function ApiExplorerDocument({ assets, specUrl, theme = 'system' }: ApiExplorerProps) {
  return (
    <ApiDocument view="explorer" css={assets.css} specUrl={specUrl} theme={theme}>
      <main id="api-explorer" data-spec-url={specUrl} />
      <script src={assets.js} defer />
      <script src={assets.init} defer />
    </ApiDocument>
  );
}
