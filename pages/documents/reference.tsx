// /api/redoc: the API reference to read (Redoc). It renders in the browser; the server sends only this frame.
import { ApiDocument, type DocumentTheme } from './api-bar.tsx';

export interface ApiReferenceProps {
  /** Addresses of the files that build/vendor.ts wrote. */
  assets: { js: string; css: string; worker: string };
  specUrl: string;
  theme?: DocumentTheme;
}

/** The whole document, without the doctype; needs no relaxation of the content security policy. */
export function ApiReferenceDocument({ assets, specUrl, theme = 'system' }: ApiReferenceProps) {
  return (
    <ApiDocument view="reference" css={assets.css} specUrl={specUrl} theme={theme}>
      <main id="api-reference" data-spec-url={specUrl} data-search-worker={assets.worker} />
      <script src={assets.js} defer />
    </ApiDocument>
  );
}
