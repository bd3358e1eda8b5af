// What the search page found, read out of its document: the links in its main part, each under its group's heading.
import { pagePath } from '../../shared/ground/page-paths.ts';

export interface SearchResult {
  href: string;
  text: string;
  /** Heading above it: `DNS records`. */
  group: string;
}

const MOST = 50;

/** Links marked `data-result` where there are any; else every link to another page of the interface. */
export function resultsOf(page: Document): SearchResult[] {
  const main = page.querySelector('main');
  const marked = main?.querySelector('[data-result]') !== null;
  const results: SearchResult[] = [];
  let group = '';
  for (const element of main?.querySelectorAll(`h2, h3, a[href^="${pagePath('overview')}"]`) ?? []) {
    if (element.matches('h2, h3')) group = words(element);
    else if (marked ? element.matches('[data-result]') : element.closest('nav, .flash') === null) {
      results.push({ href: element.getAttribute('href') ?? '', text: words(element), group });
    }
  }
  return results.slice(0, MOST);
}

function words(element: Element): string {
  return (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}
