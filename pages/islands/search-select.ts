// A list to choose one from becomes one that is searched by typing (ARIA 1.2 combobox with a list box). The list itself
// stays in the form and holds what was chosen.
const SHOWN_MOST = 100;

export function offerSearch(select: HTMLSelectElement): void {
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
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': `${id}-list`,
    autocapitalize: 'none',
  })) {
    input.setAttribute(name, value);
  }
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

  const options = [...select.options].filter(({ value }) => value !== '');
  let active = -1;
  const rows = () => [...list.children] as HTMLElement[];
  const nameOf = () => (select.value === '' ? '' : (select.selectedOptions[0]?.text ?? ''));

  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const point = (index: number) => {
    active = index;
    for (const [at, row] of rows().entries()) row.setAttribute('aria-selected', String(at === index));
    const row = rows()[index];
    if (row) input.setAttribute('aria-activedescendant', row.id);
    else input.removeAttribute('aria-activedescendant');
    row?.scrollIntoView({ block: 'nearest' });
  };
  const open = (words: string[]) => {
    const found = options.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
    list.replaceChildren(...found.slice(0, SHOWN_MOST).map((option, at) => rowOf(`${id}-${at}`, option)));
    const more = found.length - SHOWN_MOST;
    count.textContent = found.length === 0 ? 'Nothing found' : `${found.length} found`;
    if (found.length === 0 || more > 0) {
      list.append(wordsRow(found.length === 0 ? 'Nothing found' : `and ${more} more: type on`));
    }
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    point(found.length > 0 && words.length > 0 ? 0 : -1);
  };
  const choose = (row: HTMLElement | undefined) => {
    if (row?.dataset.value === undefined) return;
    select.value = row.dataset.value;
    input.value = nameOf();
    close();
    select.dispatchEvent(new Event('change', { bubbles: true }));
  };

  input.value = nameOf();
  input.addEventListener('input', () => {
    // What is typed is no choice yet.
    if (select.value !== '') {
      select.value = '';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
    open(wordsOf(input.value));
  });
  input.addEventListener('click', () => {
    if (list.hidden) open([]);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const choices = rows().filter(({ dataset }) => dataset.value !== undefined).length;
    const moves: Record<string, () => void> = {
      ArrowDown: () =>
        list.hidden ? open(select.value === '' ? wordsOf(input.value) : []) : point(Math.min(active + 1, choices - 1)),
      ArrowUp: () => point(Math.max(active - 1, 0)),
      Escape: close,
      Enter: () => choose(rows()[active]),
    };
    const closed = list.hidden;
    if (!(event.key in moves) || (closed && event.key !== 'ArrowDown') || (event.key === 'Enter' && active < 0)) return;
    event.preventDefault();
    moves[event.key]!();
  });
  // Before the field loses the focus, which closes the list.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault();
    choose((event.target as HTMLElement).closest<HTMLElement>('[data-value]') ?? undefined);
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
