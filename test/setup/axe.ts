// What axe finds on a page: WCAG 2.2 AA and best practice.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/**
 * A line for each rule that is broken. axe is injected through the protocol, which the page's policy does not concern.
 * `without`: selectors of parts that are not looked at.
 */
export async function violations(page: Page, without: readonly string[] = []): Promise<string[]> {
  const context = without.length === 0 ? 'document' : JSON.stringify({ exclude: without.map((part) => [part]) });
  // Colours that are on their way from one theme to the other belong to neither. What never ends can't be finished.
  await page.evaluate('for (const each of document.getAnimations()) try { each.finish(); } catch {}');
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe);
  const found = (await page.evaluate(
    `axe.run(${context}, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] }).then((r) => r.violations)`,
  )) as Violation[];
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
