// The mutants of a source file: small changes of its meaning, each of which a test should notice. All of them are
// written into one text, where `mutant(id)` chooses the one that is on; so a file is loaded once for all its mutants.
import { parse } from '@babel/parser';

export interface Mutant {
  id: number;
  path: string;
  line: number;
  /** The original text and its replacement; one line each. */
  from: string;
  to: string;
}

/** What every node of the parser has, whatever else it has. */
interface Node {
  type: string;
  start: number;
  end: number;
  loc: { start: { line: number } };
  [member: string]: unknown;
}

/** One change: of an expression, or (`statement`, `body`) by what is left out. */
interface Change {
  node: Node;
  kind: 'expression' | 'statement' | 'body';
  to: string;
}

const COMPARED: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  min: 'max',
  max: 'min',
};
/** Calls that can be left out: what they are called on is of the same type as what they answer. */
const DROPPED = new Set(['filter', 'trim', 'toLowerCase', 'toUpperCase', 'sort', 'toSorted', 'toReversed', 'reverse']);
/** Around expressions of TypeScript; everything else of it is types. */
const TRANSPARENT = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

const isText = ({ type }: Node): boolean => type === 'StringLiteral' || type === 'TemplateLiteral';

/** The changes that a node allows by itself; `text` gives the source of a node. */
function changesOf(node: Node, text: (part: Node) => string): Change[] {
  const become = (...to: string[]): Change[] => to.map((each) => ({ node, kind: 'expression', to: each }));
  const part = (name: string) => node[name] as Node;
  const condition = (test: Node | null): Change[] =>
    (test === null ? [] : ['true', 'false']).map((to) => ({ node: test!, kind: 'expression', to }));
  switch (node.type) {
    case 'BinaryExpression': {
      const [left, right] = [part('left'), part('right')];
      const operator = node.operator as string;
      if (operator === '+' && (isText(left) || isText(right))) return [];
      return become(...(COMPARED[operator] ?? []).map((other) => `${text(left)} ${other} ${text(right)}`));
    }
    case 'LogicalExpression': {
      const [left, right] = [text(part('left')), text(part('right'))];
      const swapped = { '&&': [`(${left}) || (${right})`], '||': [`(${left}) && (${right})`] }[node.operator as string];
      return become(...(swapped ?? []), left, right);
    }
    case 'UnaryExpression':
      return node.operator === '!' ? become(text(part('argument'))) : [];
    case 'BooleanLiteral':
      return become(String(!node.value));
    case 'StringLiteral':
      return node.value === '' ? [] : become("''");
    case 'TemplateLiteral':
      return become("''");
    case 'ArrayExpression':
      return (node.elements as unknown[]).length === 0 ? [] : become('[]');
    case 'IfStatement':
    case 'ConditionalExpression':
      return condition(part('test'));
    case 'WhileStatement':
    case 'ForStatement':
      return condition(part('test')).filter(({ to }) => to === 'false');
    case 'AssignmentExpression': {
      const other = { '+=': '-=', '-=': '+=', '??=': '=' }[node.operator as string];
      return other ? become(`${text(part('left'))} ${other} ${text(part('right'))}`) : [];
    }
    case 'UpdateExpression': {
      const other = node.operator === '++' ? '--' : '++';
      return become(node.prefix ? other + text(part('argument')) : text(part('argument')) + other);
    }
    case 'CallExpression': {
      const callee = part('callee');
      const name = callee.type === 'MemberExpression' && !callee.computed ? (callee.property as Node).name : null;
      return DROPPED.has(name as string) ? become(text(callee.object as Node)) : [];
    }
    case 'ExpressionStatement':
      return [{ node, kind: 'statement', to: '(left out)' }];
    case 'ArrowFunctionExpression':
      return part('body').type === 'BlockStatement'
        ? []
        : [{ node: part('body'), kind: 'expression', to: 'undefined' }];
    case 'FunctionDeclaration':
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      return node.kind === 'constructor' ? [] : [{ node: part('body'), kind: 'body', to: '(empty)' }];
    default:
      return [];
  }
}

/** Members of a node that hold nothing that is run, or only a name. */
function isName(node: Node, member: string): boolean {
  if (member === 'key' || member === 'property') return node.computed !== true;
  return (
    member === 'source' || member === 'directives' || (member === 'quasi' && node.type === 'TaggedTemplateExpression')
  );
}

function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([member, value]) => {
    if (isName(node, member)) return [];
    const isNode = (each: unknown): each is Node =>
      typeof (each as Node | null)?.type === 'string' && 'start' in (each as Node);
    return (Array.isArray(value) ? value : [value])
      .filter(isNode)
      .filter(
        ({ type }) =>
          (!type.startsWith('TS') || TRANSPARENT.has(type)) &&
          !/^(?:Import|Export(?:All|Specifier)|Comment)/.test(type),
      );
  });
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 120);

/** Finds the mutants of a file and writes all of them into its text. Ids count on from `first`. */
export function mutate(path: string, source: string, first: number): { mutants: Mutant[]; text: string } {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] }) as unknown as { program: Node };
  const mutants: Mutant[] = [];
  const raw = ({ start, end }: Node): string => source.slice(start, end);
  const changes = new Map<Node, (Change & { id: number })[]>();
  const collect = (node: Node): void => {
    for (const change of changesOf(node, raw)) {
      if (change.to === raw(change.node)) continue;
      const id = first + mutants.length;
      const { line } = change.node.loc.start;
      mutants.push({ id, path, line, from: oneLine(raw(change.node)), to: oneLine(change.to) });
      changes.set(change.node, [...(changes.get(change.node) ?? []), { ...change, id }]);
    }
    for (const child of childrenOf(node)) collect(child);
    const swap = methodOf(node);
    if (swap) {
      const id = first + mutants.length;
      const { name, other, property } = swap;
      mutants.push({ id, path, line: property.loc.start.line, from: oneLine(`${raw(node)}`), to: `.${other}` });
      changes.set(property, [{ node: property, kind: 'expression', to: other, id }]);
      renamed.set(property, name);
    }
  };
  const renamed = new Map<Node, string>();
  collect(program);
  const write = (node: Node): string => {
    const inner = [...childrenOf(node), ...renamedIn(node)].sort((one, other) => one.start - other.start);
    let text = '';
    let at = node.start;
    for (const child of inner) {
      text += source.slice(at, child.start) + write(child);
      at = child.end;
    }
    return around(node, text + source.slice(at, node.end));
  };
  const renamedIn = (node: Node): Node[] => (renamed.has(node.property as Node) ? [node.property as Node] : []);
  const around = (node: Node, text: string): string => {
    const own = changes.get(node) ?? [];
    const name = renamed.get(node);
    if (name) return `[mutant(${own[0]!.id}) ? '${own[0]!.to}' : '${name}']`;
    return own.reduce((inner, { id, kind, to }) => {
      if (kind === 'statement') return `{ if (!mutant(${id})) ${inner} }`;
      if (kind === 'body') return `{ if (mutant(${id})) return; ${inner.slice(1)}`;
      return `(mutant(${id}) ? (${to}) : (${inner}))`;
    }, text);
  };
  // A name in brackets needs no dot before it; `?.` stays.
  return {
    mutants,
    text:
      source.slice(0, program.start) +
      write(program).replaceAll(/(\?)?\.\[mutant\(/g, (_all, q) => (q ? '?.[mutant(' : '[mutant(')) +
      source.slice(program.end),
  };
}

/** A method that is called and has an opposite. */
function methodOf(node: Node): { name: string; other: string; property: Node } | null {
  if (!/^(?:Optional)?CallExpression$/.test(node.type)) return null;
  const callee = node.callee as Node;
  if (!/^(?:Optional)?MemberExpression$/.test(callee.type) || callee.computed) return null;
  const property = callee.property as Node;
  const other = METHODS[property.name as string];
  return other === undefined ? null : { name: property.name as string, other, property };
}
