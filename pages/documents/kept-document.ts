// The API reference is the same for all who chose the same theme: it is written once.
import { Constant } from '../../shared/kernel/operation/constant.ts';
import type { DocumentTheme } from './api-bar.tsx';

/** Looks a page up by the built files that it names and its theme, and makes it once. */
export function keptDocument(make: (assets: Readonly<Record<string, string>>, theme: DocumentTheme) => string) {
  const kept = new WeakMap<object, Map<DocumentTheme, Constant>>();
  return (assets: Readonly<Record<string, string>>, theme: DocumentTheme): Constant => {
    const themes = kept.get(assets) ?? new Map<DocumentTheme, Constant>();
    kept.set(assets, themes);
    const document = themes.get(theme) ?? new Constant(make(assets, theme));
    themes.set(theme, document);
    return document;
  };
}

/** Of an answer that is one of them. */
export const DOCUMENT_HEADERS = { 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding, cookie' };
