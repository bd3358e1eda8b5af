// No function is longer than a screen. One with JSX is a page's text, and may be.
import { parse } from '@babel/parser';
import type { Finding, Sources } from './lint-rules.ts';
import { childrenOf, isNode, type Node } from './programs/source.ts';

const PRODUCT = /^(?:shared|handlers|pages|runtime)\/(?!.*\bgenerated\/).*\.tsx?$/;
const MOST_LINES = 60;

type Located = Node & { loc: { start: { line: number }; end: { line: number } } };

const linesOf = ({ loc }: Located): number => loc.end.line - loc.start.line + 1;

const isFunction = ({ type, body }: Node): boolean => /Function|Method/.test(type) && isNode(body);

/** Answers whether JSX is in it, and adds the long functions that have none. */
function hasJsx(node: Node, long: Located[]): boolean {
  let jsx = node.type.startsWith('JSX');
  for (const child of childrenOf(node)) jsx = hasJsx(child, long) || jsx;
  if (!jsx && isFunction(node) && linesOf(node as Located) > MOST_LINES) long.push(node as Located);
  return jsx;
}

export function functionLengths(sources: Sources): Finding[] {
  return [...sources].flatMap(([path, text]) => {
    // A shorter file has none, and is not parsed.
    if (!PRODUCT.test(path) || text.split('\n').length <= MOST_LINES) return [];
    const plugins = ['typescript' as const, ...(path.endsWith('.tsx') ? (['jsx'] as const) : [])];
    const long: Located[] = [];
    hasJsx(parse(text, { sourceType: 'module', plugins }).program as unknown as Node, long);
    return long.map((node) => ({
      path,
      line: node.loc.start.line,
      rule: 'function-length',
      message: `a function of ${linesOf(node)} lines, at most ${MOST_LINES} without JSX`,
    }));
  });
}
