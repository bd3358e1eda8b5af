// Starts Redoc on /api/redoc. The whole page is this bundle; build/vendor.ts says what is left out of the library.
import './adopted-styles.ts';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { RedocStandalone } from 'redoc';
import { referenceTheme } from './api-reference-theme.ts';
import { followColourScheme } from './colour-scheme.ts';

const place = document.querySelector<HTMLElement>('#api-reference')!;
const specUrl = place.dataset.specUrl!;

// Where Redoc would make a blob: address for its search worker, the build reads this one.
Object.assign(globalThis, { apiReferenceWorker: place.dataset.searchWorker });

async function start(): Promise<void> {
  const answer = await fetch(specUrl, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const spec: object = await answer.json();
  const root = createRoot(place);
  const download = [{ title: 'OpenAPI document', url: specUrl }];
  followColourScheme((scheme) => {
    const options = { theme: referenceTheme(scheme), downloadUrls: download, hideFab: true, nativeScrollbars: true };
    root.render(createElement(RedocStandalone, { key: scheme, spec, options }));
  });
}

start().catch((cause: Error) => {
  place.className = 'api-note';
  place.textContent = `The OpenAPI document could not be loaded (${cause.message}). Reload the page to try again.`;
});
