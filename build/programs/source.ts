// A TypeScript or JavaScript file as a tree, with what the search for programs needs: where a name comes from, and the
// function around a node.
import { parse } from '@babel/parser';

export interface Node {
  type: string;
  start: number;
  end: number;
  loc: { start: { line: number } };
  [key: string]: unknown;
}

interface Order {
  head: Node;
  rest: Node | undefined;
  at: Node;
}

export interface Source {
  path: string;
  text: string;
  root: Node;
  /** Node → the node around it. */
  around: ReadonlyMap<Node, Node>;
  /** Name in this file → where it is imported from; `original` is null for a whole module. */
  imports: ReadonlyMap<string, { from: string; original: string | null }>;
  calls: readonly Node[];
  /**
   * Objects that name a program for somebody else to run: `{ program, args }`, and a browser's `{ executablePath }`.
   */
  orders: readonly Order[];
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'loc' || key.endsWith('Comments')
      ? []
      : Array.isArray(value)
        ? value.filter(isNode)
        : isNode(value)
          ? [value]
          : [],
  );
}

/** @throws SyntaxError where it is none. */
export function readSource(path: string, text: string): Source {
  const root = parse(text, {
    sourceType: 'unambiguous',
    allowAwaitOutsideFunction: true,
    allowReturnOutsideFunction: true,
    plugins: ['typescript', ...(path.endsWith('.tsx') ? (['jsx'] as const) : [])],
  }).program as unknown as Node;
  const around = new Map<Node, Node>();
  const imports = new Map<string, { from: string; original: string | null }>();
  const calls: Node[] = [];
  const orders: Order[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression') calls.push(node);
    if (node.type === 'ObjectExpression') {
      const members = ['program', 'args', 'executablePath'].map((name) => memberOf(node, name));
      const [head, rest, browser] = members;
      if (head && rest) orders.push({ head, rest, at: node });
      if (browser) orders.push({ head: browser, rest: undefined, at: node });
    }
    if (node.type === 'ImportDeclaration') {
      for (const each of node.specifiers as Node[]) {
        const original = each.type === 'ImportSpecifier' ? String(nameOf(each.imported as Node)) : null;
        imports.set(String((each.local as Node).name), { from: String((node.source as Node).value), original });
      }
    }
    for (const child of childrenOf(node)) {
      around.set(child, node);
      visit(child);
    }
  };
  visit(root);
  // `const { spawn } = await import('…')` and `require('…')`.
  for (const call of calls) {
    const callee = call.callee as Node;
    const from = (call.arguments as Node[])[0];
    if (!(callee.type === 'Import' || callee.name === 'require') || from?.type !== 'StringLiteral') continue;
    let holder = around.get(call);
    if (holder?.type === 'AwaitExpression') holder = around.get(holder);
    if (holder?.type !== 'VariableDeclarator') continue;
    const id = holder.id as Node;
    if (id.type === 'Identifier') imports.set(String(id.name), { from: String(from.value), original: null });
    for (const property of id.type === 'ObjectPattern' ? (id.properties as Node[]) : [])
      if (isNode(property.value) && property.value.type === 'Identifier')
        imports.set(String(property.value.name), {
          from: String(from.value),
          original: String(nameOf(property.key as Node)),
        });
  }
  return { path, text, root, around, imports, calls, orders };
}

const memberOf = (node: Node, name: string): Node | undefined =>
  (node.properties as Node[]).find((property) => isNode(property.key) && nameOf(property.key) === name)?.value as
    | Node
    | undefined;

/** The name that an identifier, a private name or a key spells; undefined for anything computed. */
export function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'PrivateName') return String((node.id as Node).name);
  if (node.type === 'StringLiteral') return String(node.value);
  return undefined;
}

const FUNCTIONS =
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod|ClassPrivateMethod)$/;
export const isFunction = (node: Node): boolean => FUNCTIONS.test(node.type);

/** What a function is called by: its own name, or that of the variable or member that holds it. */
export function functionName(source: Source, node: Node): string | undefined {
  const own = isNode(node.id) ? node.id : isNode(node.key) ? node.key : undefined;
  if (own) return nameOf(own);
  let holder = source.around.get(node);
  while (holder && /^TS(?:As|Satisfies)/.test(holder.type)) holder = source.around.get(holder);
  if (holder?.type === 'VariableDeclarator') return nameOf(holder.id as Node);
  if (holder && /^(?:ObjectProperty|Class(?:Private)?Property)$/.test(holder.type)) return nameOf(holder.key as Node);
  return undefined;
}

export type Origin =
  | { kind: 'parameter'; function: Node; index: number; rest: boolean; preset: Node | undefined }
  | { kind: 'value'; node: Node }
  | { kind: 'function'; node: Node }
  /** Taken from something by a pattern: by `member` when it is one of an object. */
  | { kind: 'taken'; member: string | undefined }
  /** An element of a list. */
  | { kind: 'element'; node: Node; index: number }
  | { kind: 'unknown' };

/** The meaning of a name at its position. */
export function originOf(source: Source, name: string, at: Node): Origin {
  for (let node: Node | undefined = at; node; node = source.around.get(node)) {
    if (isFunction(node)) {
      for (const [index, parameter] of (node.params as Node[]).entries()) {
        const rest = parameter.type === 'RestElement';
        const preset = parameter.type === 'AssignmentPattern' ? (parameter.right as Node) : undefined;
        const inner = rest ? (parameter.argument as Node) : preset ? (parameter.left as Node) : parameter;
        if (inner.type === 'Identifier' && inner.name === name)
          return { kind: 'parameter', function: node, index, rest, preset };
        if (inner.type !== 'Identifier') {
          const member = memberTaken(inner, name);
          if (member !== undefined) return { kind: 'taken', member: member ?? undefined };
        }
      }
    }
    if (/^For/.test(node.type)) {
      const left = (node.left ?? node.init) as Node | null;
      if (left?.type === 'VariableDeclaration' && mentions(left, name)) return { kind: 'unknown' };
    }
    const statements = node.type === 'Program' || node.type === 'BlockStatement' ? (node.body as Node[]) : [];
    for (const statement of statements) {
      const declared = statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : statement;
      if (declared?.type === 'FunctionDeclaration' && (declared.id as Node | null)?.name === name)
        return { kind: 'function', node: declared };
      if (declared?.type !== 'VariableDeclaration') continue;
      for (const { id, init } of declared.declarations as { id: Node; init: Node | null }[]) {
        if (id.type === 'Identifier' && id.name === name) {
          if (!init) return { kind: 'unknown' };
          return isFunction(init) ? { kind: 'function', node: init } : { kind: 'value', node: init };
        }
        const index = id.type === 'ArrayPattern' ? (id.elements as Node[]).findIndex((one) => one?.name === name) : -1;
        if (index >= 0 && init) return { kind: 'element', node: init, index };
        const member = id.type === 'Identifier' ? undefined : memberTaken(id, name);
        if (member !== undefined) return { kind: 'taken', member: member ?? undefined };
      }
    }
  }
  return { kind: 'unknown' };
}

const mentions = (node: Node, name: string): boolean =>
  (node.type === 'Identifier' && node.name === name) || childrenOf(node).some((child) => mentions(child, name));

/**
 * The member that a pattern takes into the name; null where it takes none by name, undefined where the name is not in
 * it.
 */
function memberTaken(pattern: Node, name: string): string | null | undefined {
  if (!mentions(pattern, name)) return undefined;
  if (pattern.type !== 'ObjectPattern') return null;
  for (const property of pattern.properties as Node[]) {
    if (!isNode(property.value)) continue;
    const value = property.value.type === 'AssignmentPattern' ? (property.value.left as Node) : property.value;
    if (value.type === 'Identifier' && value.name === name) return nameOf(property.key as Node) ?? null;
  }
  return null;
}
