// Which programs a script of the shell calls: the first word of each of its commands that is no word of the shell
// itself and no function of the script.

const OF_THE_SHELL = new Set(
  `. : [ alias break case cd command continue do done echo elif else esac eval exec exit export false fi for getopts hash if
  in kill local printf pwd read readonly return set shift test then times trap true type ulimit umask unset until wait while
  { } !`.split(/\s+/),
);
/** Behind them begins a command. */
const BEFORE_A_COMMAND = new Set('do elif else exec eval if then until while { !'.split(' '));
/** Started with another command behind their options. */
const STARTERS: Readonly<Record<string, RegExp>> = {
  env: /^-|^\w+=/,
  nice: /^-/,
  nohup: /^-/,
  unshare: /^-/,
  command: /^-p$/,
  run: /(?!)/,
};

const NAME = /^[A-Za-z_][\w.+-]*$/;

/** Names, each once. A command whose name is a variable's value is not known, and is left out. */
export function shellPrograms(script: string): string[] {
  const text = script
    .replace(/<<-?\s*(['"]?)(\w+)\1.*\n(?:.*\n)*?\s*\2\b/g, '\n')
    .replace(/\\\n/g, ' ')
    .replace(/(^|\s)#.*$/gm, '$1');
  const own = new Set([...text.matchAll(/^\s*(\w+)\s*\(\)/gm)].map(([, name = '']) => name));
  const found = new Set<string>();
  for (const words of commands(text)) {
    let rest = words;
    for (;;) {
      while (rest[0] !== undefined && (BEFORE_A_COMMAND.has(rest[0]) || /^\w+=/.test(rest[0]))) rest = rest.slice(1);
      const [head] = rest;
      if (head === undefined) break;
      // `$program/bin/node` is the script's own.
      // `exec </dev/null` runs nothing.
      const program = head.includes('$') || /^\d*[<>]/.test(head) ? '' : (head.split('/').at(-1) ?? head);
      if (NAME.test(program) && !OF_THE_SHELL.has(head) && !own.has(head)) found.add(program);
      const starts = STARTERS[program];
      if (program === 'ip' && rest[1] === 'netns' && rest[2] === 'exec') rest = rest.slice(4);
      else if (starts) {
        rest = rest.slice(1);
        while (rest[0] !== undefined && starts.test(rest[0])) rest = rest.slice(1);
      } else break;
    }
  }
  return [...found];
}

/** The words of each command. Words in quotes are one word; what `$(…)` in them runs is a command too. */
function commands(text: string): string[][] {
  const all: string[][] = [[]];
  const inner: string[] = [];
  let word = '';
  let open = 0;
  const endWord = (): void => {
    if (word !== '') all.at(-1)?.push(word);
    word = '';
  };
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index] ?? '';
    if (sign === "'") {
      const end = text.indexOf("'", index + 1);
      word += `'${text.slice(index + 1, end)}`;
      index = end < 0 ? text.length : end;
    } else if (sign === '"') {
      let end = index + 1;
      for (let depth = 0; end < text.length && (text[end] !== '"' || depth > 0); end += 1) {
        if (text[end] === '\\') end += 1;
        else if (text.startsWith('$(', end)) depth += 1;
        else if (text[end] === ')' && depth > 0) depth -= 1;
      }
      const quoted = text.slice(index + 1, end);
      for (const { index: at } of quoted.matchAll(/\$\((?!\()/g)) inner.push(untilClosed(quoted.slice(at + 2)));
      word += `"${quoted}`;
      index = end;
    } else if (sign === '\\') {
      index += 1;
      word += text[index] ?? '';
    } else if (text.startsWith('$((', index)) {
      const end = text.indexOf('))', index);
      word += '$';
      index = end < 0 ? text.length : end + 1;
    } else if (text.startsWith('${', index)) {
      const end = text.indexOf('}', index);
      word += '$';
      index = end < 0 ? text.length : end;
    } else if (text.startsWith('$(', index)) {
      endWord();
      all.push([]);
      open += 1;
      index += 1;
    } else if (/[;|&()\n`]/.test(sign)) {
      if (sign === '&' && /[<>]$/.test(word)) word += sign;
      else {
        // The bracket after a pattern of `case` closes none, and the text before it is no command.
        if (sign === ')' && open === 0) {
          word = '';
          all.pop();
        }
        if (sign === '(') open += 1;
        else if (sign === ')') open = Math.max(0, open - 1);
        endWord();
        all.push([]);
      }
    } else if (/\s/.test(sign)) endWord();
    else word += sign;
  }
  endWord();
  return [...all.filter((words) => words.length > 0), ...inner.flatMap((each) => commands(each))];
}

/** The text up to the matching closing bracket. */
function untilClosed(text: string): string {
  let depth = 0;
  const end = [...text].findIndex((sign) => {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    return depth < 0;
  });
  return end < 0 ? text : text.slice(0, end);
}
