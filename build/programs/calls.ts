// Which external programs the code calls: every call of node:child_process and of a host's `exec`, followed through the
// functions that hand a program on, and through programs that start another one (`ip netns exec`, `sh -c`). A program
// that can't be read from the source is a call of its own kind, `unread`, which a reader has to account for.
import { posix } from 'node:path';
import { shellPrograms } from './shell.ts';
import { functionName, isFunction, isNode, type Node, nameOf, originOf, readSource, type Source } from './source.ts';

export interface Call {
  path: string;
  line: number;
  /** Name of the program; null: not to be read from the source. */
  program: string | null;
  /** The expression that names it. */
  said: string;
}

/**
 * One word of a command. A parameter is that of the function around it, which makes the function a caller of programs;
 * as `list` it holds more than one word.
 */
type Word =
  | { kind: 'text'; text: string }
  | { kind: 'self' }
  | { kind: 'parameter'; function: Node; index: number; rest: boolean; list: boolean }
  | { kind: 'unread'; said: string };

/** A function that runs what it is given: its command, with its parameters in it. */
interface Runner {
  source: Source;
  function: Node;
  name: string;
  member: boolean;
  commands: Word[][];
}

const TAKES_PROGRAM = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync']);
const TAKES_SHELL = new Set(['exec', 'execSync']);
const MOST_DEEP = 12;

/** Calls of each file, in the order of the source. Only files that can call a program are read as trees. */
export function programCalls(files: ReadonlyMap<string, string>): Call[] {
  return new Search(files).run();
}

const RELATIVE = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^'\n]+)'/g;

const KNOWN = new WeakMap<ReadonlyMap<string, string>, Map<string, string[]>>();

function importsOf(files: ReadonlyMap<string, string>, path: string): string[] {
  const known = KNOWN.get(files) ?? new Map<string, string[]>();
  KNOWN.set(files, known);
  const text = files.get(path) ?? '';
  const imports =
    known.get(path) ?? [...text.matchAll(RELATIVE)].map(([, from = '']) => posix.join(posix.dirname(path), from));
  known.set(path, imports);
  return imports;
}

/** The files that each file imports, by their repository paths, itself among them, and what those import. */
export function reachedFrom(files: ReadonlyMap<string, string>, path: string): Set<string> {
  const reached = new Set<string>();
  const visit = (at: string): void => {
    if (reached.has(at) || !files.has(at)) return;
    reached.add(at);
    for (const next of importsOf(files, at)) visit(next);
  };
  visit(path);
  return reached;
}

/** Repository path of a relative import; null: a package. */
const importedPath = (path: string, specifier: string): string | null =>
  specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : null;

class Search {
  readonly #files: ReadonlyMap<string, string>;
  readonly #sources = new Map<string, Source>();
  readonly #runners = new Map<Node, Runner>();
  readonly #reach = new Map<string, Set<string>>();
  #calls: Call[] = [];

  constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
  }

  run(): Call[] {
    // A function found to run programs makes callers of others: until nothing is new.
    for (let known = -1; known !== this.#size(); ) {
      known = this.#size();
      this.#calls = [];
      const names = [...new Set([...this.#runners.values()].map(({ name }) => name))];
      const mayCall = new RegExp(
        [
          'child_process',
          '\\bexec\\(',
          '\\bprogram\\b',
          'executablePath',
          ...names.map((name) => `\\b${name}\\b`),
        ].join('|'),
      );
      for (const [path, text] of this.#files) {
        if (!mayCall.test(text)) continue;
        const source = this.#read(path)!;
        for (const call of source.calls) this.#look(source, call);
        for (const { head, rest, at } of source.orders) this.#run(source, at, head, rest);
      }
    }
    const seen = new Set<string>();
    return this.#calls.filter(({ path, line, program, said }) => {
      const key = JSON.stringify([path, line, program, said]);
      return !seen.has(key) && seen.add(key);
    });
  }

  #read(path: string): Source | undefined {
    const text = this.#files.get(path);
    if (text === undefined) return undefined;
    const source = this.#sources.get(path) ?? readSource(path, text);
    this.#sources.set(path, source);
    return source;
  }

  #size = (): number => [...this.#runners.values()].reduce((sum, { commands }) => sum + commands.length, 0);

  #look(source: Source, call: Node): void {
    const given = call.arguments as Node[];
    const kind = this.#childProcess(source, call.callee as Node);
    if (kind === 'shell') this.#script(source, call, this.#words(source, given[0], 0)[0]?.[0]);
    if (kind === 'shell') return;
    if (kind === 'program' || this.#isHostExec(call)) {
      if (given[0]) this.#run(source, call, given[0], given[1]);
      return;
    }
    for (const runner of this.#runnersOf(source, call.callee as Node)) {
      for (const command of runner.commands)
        for (const words of this.#filled(source, command, runner.function, given, 0)) this.#found(source, call, words);
    }
  }

  #run(source: Source, at: Node, program: Node, args: Node | undefined): void {
    for (const [head] of this.#words(source, program, 0))
      for (const words of args ? this.#list(source, args, 0) : [[]])
        this.#found(source, at, head ? [head, ...words] : []);
  }

  /** What of node:child_process the callee is, by its import or through promisify. */
  #childProcess(source: Source, callee: Node): 'program' | 'shell' | null {
    let name: string | undefined;
    if (callee.type === 'Identifier') {
      const imported = source.imports.get(String(callee.name));
      if (imported && /^(?:node:)?child_process$/.test(imported.from)) name = imported.original ?? undefined;
      else if (!imported) {
        const origin = originOf(source, String(callee.name), callee);
        if (origin.kind === 'value' && origin.node.type === 'CallExpression') {
          const [inner] = origin.node.arguments as Node[];
          if ((origin.node.callee as Node).name === 'promisify' && inner) return this.#childProcess(source, inner);
        }
      }
    } else if (callee.type === 'MemberExpression' && (callee.object as Node).type === 'Identifier') {
      const imported = source.imports.get(String((callee.object as Node).name));
      if (imported && /^(?:node:)?child_process$/.test(imported.from)) name = nameOf(callee.property as Node);
    }
    if (name === undefined) return null;
    return TAKES_PROGRAM.has(name) ? 'program' : TAKES_SHELL.has(name) ? 'shell' : null;
  }

  /** `host.exec(program, args)`: an expression's `exec` and a database's have one argument. */
  #isHostExec(call: Node): boolean {
    const callee = call.callee as Node;
    const name = callee.type === 'MemberExpression' ? nameOf(callee.property as Node) : nameOf(callee);
    const [program, args] = call.arguments as Node[];
    return name === 'exec' && program !== undefined && args !== undefined && !isFunction(args);
  }

  #runnersOf(source: Source, callee: Node): Runner[] {
    if (callee.type === 'Identifier') {
      const name = String(callee.name);
      const imported = source.imports.get(name);
      if (imported) {
        const path = importedPath(source.path, imported.from);
        return path
          ? [...this.#runners.values()].filter(
              (one) => one.source.path === path && one.name === imported.original && !one.member,
            )
          : [];
      }
      const origin = originOf(source, name, callee);
      if (origin.kind === 'function') return [this.#runners.get(origin.node) ?? []].flat();
      if (origin.kind === 'value' && origin.node.type === 'MemberExpression')
        return this.#members(source, nameOf(origin.node.property as Node));
      return origin.kind === 'taken' ? this.#members(source, origin.member) : [];
    }
    return callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression'
      ? this.#members(source, nameOf(callee.property as Node))
      : [];
  }

  /** Members by name, of the files that this one knows. */
  #members(source: Source, name: string | undefined): Runner[] {
    const reached = this.#reached(source.path);
    return [...this.#runners.values()].filter((one) => one.member && one.name === name && reached.has(one.source.path));
  }

  #reached(path: string): Set<string> {
    const known = this.#reach.get(path) ?? reachedFrom(this.#files, path);
    this.#reach.set(path, known);
    return known;
  }

  /** A runner's command at a call: the arguments in the places of its parameters. */
  #filled(source: Source, command: readonly Word[], of: Node, given: readonly Node[], depth: number): Word[][] {
    let lists: Word[][] = [[]];
    for (const word of command) {
      let more: Word[][] = [[word]];
      if (word.kind === 'parameter' && word.function === of) {
        const from = given.slice(word.index, word.rest ? undefined : word.index + 1);
        const [only] = from;
        if (!only) more = [[]];
        else
          more =
            word.list && !word.rest ? this.#list(source, only, depth + 1) : this.#elements(source, from, depth + 1);
      }
      lists = lists.flatMap((list) => more.map((each) => [...list, ...each]));
    }
    return lists;
  }

  #found(source: Source, call: Node, command: readonly Word[]): void {
    const add = (program: string | null, said: string): void => {
      this.#calls.push({ path: source.path, line: call.loc.start.line, program, said });
    };
    for (let rest: readonly Word[] | undefined = command; rest; ) {
      const [head] = rest;
      if (head?.kind === 'parameter') this.#isRunner(head.function, rest);
      if (head?.kind === 'unread') add(null, head.said);
      if (head?.kind !== 'text') return;
      const program = posix.basename(head.text);
      add(program, head.text);
      const next = startedBy(program, rest);
      if (next?.script) this.#script(source, call, next.script);
      rest = next?.command;
    }
  }

  #script(source: Source, call: Node, script: Word | undefined): void {
    if (script?.kind === 'text') {
      for (const program of shellPrograms(script.text))
        this.#calls.push({ path: source.path, line: call.loc.start.line, program, said: program });
    } else if (script?.kind === 'parameter') {
      this.#isRunner(script.function, [{ kind: 'text', text: 'sh' }, { kind: 'text', text: '-c' }, script]);
    } else if (script) {
      const said = script.kind === 'unread' ? script.said : 'sh';
      this.#calls.push({ path: source.path, line: call.loc.start.line, program: null, said });
    }
  }

  #isRunner(node: Node, command: readonly Word[]): void {
    const source = [...this.#sources.values()].find(({ around }) => around.has(node));
    const name = source && functionName(source, node);
    // The `exec` of a host is known by its name.
    if (!source || name === undefined || name === 'exec') return;
    const holder = source.around.get(node);
    const member = /Method$/.test(node.type) || /Property$/.test(holder?.type ?? '');
    const runner = this.#runners.get(node) ?? { source, function: node, name, member, commands: [] };
    const key = (words: readonly Word[]) =>
      words.map((word) => (word.kind === 'parameter' ? `${word.index}${word.rest}` : JSON.stringify(word))).join(' ');
    if (!runner.commands.some((known) => key(known) === key(command))) runner.commands.push([...command]);
    this.#runners.set(node, runner);
  }

  /** What one expression may be, each as a list of words (one word, or those of a spread parameter). */
  #words(source: Source, node: Node | undefined, depth: number): Word[][] {
    if (!node) return [[]];
    const unread: Word[][] = [[{ kind: 'unread', said: source.text.slice(node.start, node.end) }]];
    if (depth > MOST_DEEP) return unread;
    switch (node.type) {
      case 'StringLiteral':
        return [[{ kind: 'text', text: String(node.value) }]];
      case 'TemplateLiteral':
        return [[{ kind: 'text', text: this.#template(source, node, depth) }]];
      case 'TSNonNullExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'ParenthesizedExpression':
        return this.#words(source, node.expression as Node, depth + 1);
      case 'ConditionalExpression':
        return [node.consequent, node.alternate].flatMap((one) => this.#words(source, one as Node, depth + 1));
      case 'LogicalExpression':
        return [node.left, node.right].flatMap((one) => this.#words(source, one as Node, depth + 1));
      case 'MemberExpression':
        return this.#ofProcess(source.text.slice(node.start, node.end)) ?? unread;
      case 'Identifier': {
        const origin = this.#origin(source, node);
        if (origin.kind === 'parameter') {
          const { function: of, index, rest } = origin;
          const words: Word[][] = [[{ kind: 'parameter', function: of, index, rest, list: false }]];
          return origin.preset ? [...words, ...this.#words(source, origin.preset, depth + 1)] : words;
        }
        if (origin.kind === 'value') return this.#words(origin.source, origin.node, depth + 1);
        if (origin.kind === 'element')
          return this.#list(origin.source, origin.node, depth + 1).map((words) =>
            words.slice(origin.index, origin.index + 1),
          );
        return unread;
      }
      default:
        return unread;
    }
  }

  /** The running Node. A variable of the environment adds nothing: it can only replace the value beside it. */
  #ofProcess(text: string): Word[][] | null {
    if (text === 'process.execPath') return [[{ kind: 'self' }]];
    return text.startsWith('process.env.') ? [] : null;
  }

  #origin(source: Source, node: Node): ReturnType<typeof originOf> & { source: Source } {
    const name = String(node.name);
    const imported = source.imports.get(name);
    const path = imported?.original ? importedPath(source.path, imported.from) : null;
    const other = path === null ? undefined : this.#read(path);
    if (other && imported?.original) return { ...originOf(other, imported.original, other.root), source: other };
    return { ...originOf(source, name, node), source };
  }

  #template(source: Source, node: Node, depth: number): string {
    const texts = (node.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked);
    return texts.reduce((text, next, index) => {
      const [first] = this.#words(source, (node.expressions as Node[])[index - 1], depth + 1);
      const word = first?.length === 1 ? first[0] : undefined;
      return `${text}${word?.kind === 'text' ? word.text : '$WORD'}${next}`;
    });
  }

  /** A list of arguments, as every list that it may be. */
  #list(source: Source, node: Node, depth: number): Word[][] {
    const unread: Word[][] = [[{ kind: 'unread', said: source.text.slice(node.start, node.end) }]];
    if (depth > MOST_DEEP) return unread;
    if (node.type === 'ArrayExpression') return this.#elements(source, node.elements as Node[], depth + 1);
    if (node.type === 'TSAsExpression') return this.#list(source, node.expression as Node, depth + 1);
    if (node.type === 'ConditionalExpression')
      return [node.consequent, node.alternate].flatMap((one) => this.#list(source, one as Node, depth + 1));
    if (node.type === 'Identifier') {
      const origin = this.#origin(source, node);
      if (origin.kind === 'value') return this.#list(origin.source, origin.node, depth + 1);
      if (origin.kind === 'parameter')
        return [[{ kind: 'parameter', function: origin.function, index: origin.index, rest: origin.rest, list: true }]];
    }
    if (node.type === 'CallExpression') return this.#returned(source, node, depth) ?? unread;
    return unread;
  }

  /** The list that a function answers: `this.#inside('dist/main.js')`. */
  #returned(source: Source, call: Node, depth: number): Word[][] | null {
    const callee = call.callee as Node;
    const name = callee.type === 'MemberExpression' ? nameOf(callee.property as Node) : nameOf(callee);
    const imported = name === undefined ? undefined : source.imports.get(name);
    const path = imported && importedPath(source.path, imported.from);
    const home = path ? this.#read(path) : source;
    const isIt = (node: Node): boolean =>
      isFunction(node) && functionName(home!, node) === (imported?.original ?? name);
    const found = home && name !== undefined ? [...home.around.keys()].find(isIt) : undefined;
    const body = found?.body as Node | undefined;
    const answer =
      body?.type === 'BlockStatement'
        ? (body.body as Node[]).findLast(({ type }) => type === 'ReturnStatement')?.argument
        : body;
    if (!home || !found || !isNode(answer)) return null;
    return this.#list(home, answer, depth + 1).flatMap((words) =>
      this.#filled(source, words, found, call.arguments as Node[], depth + 1),
    );
  }

  #elements(source: Source, elements: readonly Node[], depth: number): Word[][] {
    let lists: Word[][] = [[]];
    for (const element of elements) {
      const more =
        element.type === 'SpreadElement'
          ? this.#list(source, element.argument as Node, depth + 1)
          : element.type === 'ArrayExpression'
            ? this.#list(source, element, depth + 1)
            : this.#words(source, element, depth + 1);
      lists = lists.flatMap((list) => more.map((each) => [...list, ...each]));
    }
    return lists;
  }
}

/** What a program starts by its arguments: another command, or a script of the shell. Null: nothing that is known. */
function startedBy(program: string, command: readonly Word[]): { command: readonly Word[]; script?: Word } | null {
  const text = (index: number): string => {
    const word = command[index];
    return word?.kind === 'text' ? word.text : '';
  };
  const after = (test: (text: string) => boolean): number => {
    let index = 1;
    while (index < command.length && command[index]?.kind === 'text' && test(text(index))) index += 1;
    return index;
  };
  switch (program) {
    case 'ip':
      // Words that can't be read may be those of `netns exec`.
      if (command[1]?.kind === 'unread') return { command: command.slice(1) };
      if (command[1]?.kind === 'parameter') return { command: [] };
      return text(1) === 'netns' && text(2) === 'exec' ? { command: command.slice(4) } : null;
    case 'sh':
    case 'bash': {
      const at = command.findIndex((word) => word.kind === 'text' && /^-\w*c$/.test(word.text));
      const script = at < 0 ? undefined : command[at + 1];
      return script ? { command: [], script } : null;
    }
    case 'env':
      return { command: command.slice(after((word) => /^-|^\w+=/.test(word))) };
    case 'nice':
    case 'setsid':
    case 'unshare':
      return { command: command.slice(after((word) => word.startsWith('-'))) };
    case 'chroot':
    case 'timeout':
      return { command: command.slice(2) };
    default:
      return null;
  }
}
