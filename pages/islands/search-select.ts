// A list to choose one from becomes one that is searched by typing (ARIA 1.2 combobox with a list box). The list itself
// stays in the form and holds what was chosen.
const SHOWN_MOST = 100;

/** The field to type in, the list below it, and how many were found, for those who hear the page. */
interface Searched {
  input: HTMLInputElement;
  list: HTMLUListElement;
  count: HTMLParagraphElement;
}

const COMBOBOX = {
  role: 'combobox',
  'aria-autocomplete': 'list',
  'aria-expanded': 'false',
  autocapitalize: 'none',
};

/** Puts the search in the place of the list, which is hidden. */
function placed(select: HTMLSelectElement): Searched {
  const { id } = select;
  const label = document.getElementById(`${id}-label`);
  const box = document.createElement('div');
  box.className = 'searched';
  const input = document.createElement('input');
  const list = document.createElement('ul');
  const count = document.createElement('p');
  Object.assign(input, { id: `${id}-search`, type: 'text', autocomplete: 'off', spellcheck: false });
  input.placeholder = 'Type to search';
  input.className = 'mono wide';
  for (const [name, value] of Object.entries({ ...COMBOBOX, 'aria-controls': `${id}-list` }))
    input.setAttribute(name, value);
  list.id = `${id}-list`;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', label?.textContent?.trim() ?? 'Choices');
  list.hidden = true;
  count.className = 'vh';
  count.setAttribute('role', 'status');
  box.append(input, list, count);
  select.after(box);
  select.hidden = true;
  label?.setAttribute('for', input.id);
  return { input, list, count };
}

/** The open list, and which of its rows is pointed at. */
class Choices {
  readonly #options: HTMLOptionElement[];
  readonly #select: HTMLSelectElement;
  readonly #searched: Searched;
  active = -1;

  constructor(select: HTMLSelectElement, searched: Searched) {
    this.#select = select;
    this.#searched = searched;
    this.#options = [...select.options].filter(({ value }) => value !== '');
  }

  get rows(): HTMLElement[] {
    return [...this.#searched.list.children] as HTMLElement[];
  }

  get closed(): boolean {
    return this.#searched.list.hidden !== false;
  }

  /** The name of what is chosen; empty for nothing. */
  get chosen(): string {
    return this.#select.value === '' ? '' : (this.#select.selectedOptions[0]?.text ?? '');
  }

  close(): void {
    const { input, list } = this.#searched;
    list.hidden = true;
    this.active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  point(index: number): void {
    const { input } = this.#searched;
    this.active = index;
    for (const [at, row] of this.rows.entries()) row.setAttribute('aria-selected', String(at === index));
    const row = this.rows[index];
    if (row) input.setAttribute('aria-activedescendant', row.id);
    else input.removeAttribute('aria-activedescendant');
    row?.scrollIntoView({ block: 'nearest' });
  }

  open(words: readonly string[]): void {
    const { input, list, count } = this.#searched;
    const found = this.#options.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
    list.replaceChildren(...found.slice(0, SHOWN_MOST).map((option, at) => rowOf(`${this.#select.id}-${at}`, option)));
    const more = found.length - SHOWN_MOST;
    count.textContent = found.length === 0 ? 'Nothing found' : `${found.length} found`;
    if (found.length === 0 || more > 0) {
      list.append(wordsRow(found.length === 0 ? 'Nothing found' : `and ${more} more: type on`));
    }
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    this.point(found.length > 0 && words.length > 0 ? 0 : -1);
  }

  choose(row: HTMLElement | undefined): void {
    if (row?.dataset.value === undefined) return;
    this.set(row.dataset.value);
    this.#searched.input.value = this.chosen;
    this.close();
  }

  set(value: string): void {
    this.#select.value = value;
    this.#select.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

export function offerSearch(select: HTMLSelectElement): void {
  const searched = placed(select);
  const { input, list } = searched;
  const choices = new Choices(select, searched);
  input.value = choices.chosen;
  input.addEventListener('input', () => {
    // What is typed is no choice yet.
    if (select.value !== '') choices.set('');
    choices.open(wordsOf(input.value));
  });
  input.addEventListener('click', () => {
    if (choices.closed) choices.open([]);
  });
  input.addEventListener('blur', () => choices.close());
  input.addEventListener('keydown', (event) => {
    const { active, closed, rows } = choices;
    const last = rows.filter(({ dataset }) => dataset.value !== undefined).length - 1;
    const moves: Record<string, () => void> = {
      ArrowDown: () =>
        closed
          ? choices.open(select.value === '' ? wordsOf(input.value) : [])
          : choices.point(Math.min(active + 1, last)),
      ArrowUp: () => choices.point(Math.max(active - 1, 0)),
      Escape: () => choices.close(),
      Enter: () => choices.choose(rows[active]),
    };
    if (!(event.key in moves) || (closed && event.key !== 'ArrowDown') || (event.key === 'Enter' && active < 0)) return;
    event.preventDefault();
    moves[event.key]!();
  });
  // Before the field loses the focus, which closes the list.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault();
    choices.choose((event.target as HTMLElement).closest<HTMLElement>('[data-value]') ?? undefined);
  });
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

function rowOf(id: string, option: HTMLOptionElement): HTMLLIElement {
  const row = document.createElement('li');
  row.id = id;
  row.dataset.value = option.value;
  row.setAttribute('role', 'option');
  row.setAttribute('aria-selected', 'false');
  row.textContent = option.text;
  return row;
}

function wordsRow(text: string): HTMLLIElement {
  const row = document.createElement('li');
  row.className = 'muted';
  row.setAttribute('role', 'presentation');
  row.textContent = text;
  return row;
}
