// Makes an element like another one with as few changes as possible, so that what a person is doing survives: the focus,
// a selection, opened details, scroll positions, and everything typed.

/** What a person or another island set, and the server knows nothing of. A row that the keys led to has the focus by its index. */
const KEPT: Record<string, readonly string[]> = {
  DETAILS: ['open'],
  DIALOG: ['open'],
  BUTTON: ['hidden'],
  TR: ['tabindex'],
};

export function morph(from: Element, to: Element): void {
  copyAttributes(from, to);
  // A text area's children are only its first value; it keeps what was typed.
  if (from.nodeName === 'TEXTAREA') return;
  const wanted = [...to.childNodes];
  for (const [index, node] of wanted.entries()) {
    const present = aligned(from, index, wanted);
    if (present === undefined) from.insertBefore(node, from.childNodes[index] ?? null);
    else if (present instanceof Element) morph(present, node as Element);
    else if (present.nodeValue !== node.nodeValue) present.nodeValue = node.nodeValue;
  }
  while (from.childNodes.length > wanted.length) from.lastChild?.remove();
}

/** The child at `index` that becomes the wanted one, after those that are gone are removed; undefined: it is new. */
function aligned(from: Element, index: number, wanted: readonly Node[]): Node | undefined {
  const node = wanted[index]!;
  for (let present = from.childNodes[index]; present !== undefined; present = from.childNodes[index]) {
    if (alike(present, node)) return present;
    // What is still wanted further down stays what it is and moves down.
    if (wanted.slice(index + 1).some((later) => alike(present as Node, later))) return undefined;
    present.remove();
  }
  return undefined;
}

function alike(a: Node, b: Node): boolean {
  if (a.nodeName !== b.nodeName) return false;
  return !(a instanceof Element) || (a.id === (b as Element).id && looks(a) === looks(b as Element));
}

/** What an island found out about a table. */
const MEASURED: readonly string[] = ['fits', 'wide'];

/** Unlike `className` the same kind of thing for SVG. */
const looks = (element: Element): string | undefined =>
  element
    .getAttribute('class')
    ?.split(' ')
    .filter((word) => !MEASURED.includes(word))
    .join(' ');

function copyAttributes(from: Element, to: Element): void {
  const kept = KEPT[from.nodeName] ?? [];
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !kept.includes(name)) from.removeAttribute(name);
  }
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value && !kept.includes(name)) from.setAttribute(name, value);
  }
}
