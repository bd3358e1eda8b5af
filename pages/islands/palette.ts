// Ctrl/⌘-K: a search field over the page whose results are the links of the search page. The first is chosen; without
// results Enter opens that page itself. Combobox with a list box, as in the ARIA Authoring Practices.
import { resultsOf, type SearchResult } from './search-results.ts';

const PAUSE_MS = 150;

export function offerPalette(): void {
  const form = document.querySelector<HTMLFormElement>('.top .search form');
  if (!form) return;
  const mac = /Mac|iP(hone|ad)/.test(navigator.platform);
  const hint = form.querySelector('kbd');
  if (mac && hint) hint.textContent = '⌘ K';
  let palette: Palette | null = null;
  document.addEventListener('keydown', (key) => {
    if (key.key.toLowerCase() !== 'k' || !(mac ? key.metaKey : key.ctrlKey) || key.altKey || key.shiftKey) return;
    key.preventDefault();
    palette ??= new Palette(form.action);
    palette.toggle();
  });
}

class Palette {
  readonly #action: string;
  readonly #dialog = document.createElement('dialog');
  readonly #field = document.createElement('input');
  readonly #list = document.createElement('ul');
  readonly #said = document.createElement('p');
  #results: SearchResult[] = [];
  #chosen = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked: AbortController | null = null;

  constructor(action: string) {
    this.#action = action;
    this.#build();
    this.#field.addEventListener('input', () => {
      clearTimeout(this.#timer);
      // An answer that is on its way would take the place of what is chosen when the next one comes.
      this.#asked?.abort();
      this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
    });
    this.#field.addEventListener('keydown', (key) => this.#key(key));
    this.#list.addEventListener('click', (click) => {
      const option = (click.target as Element).closest('[role="option"]');
      if (option) this.#open(this.#options().indexOf(option));
    });
    // A click on the backdrop is a click on the dialog itself.
    this.#dialog.addEventListener('click', (click) => {
      if (click.target === this.#dialog) this.#dialog.close();
    });
  }

  toggle(): void {
    if (this.#dialog.open) {
      this.#dialog.close();
      return;
    }
    this.#field.value = '';
    this.#show([], 'Type a name, an address or an id.');
    this.#dialog.showModal();
  }

  #build(): void {
    const form = document.createElement('form');
    form.action = this.#action;
    this.#dialog.className = 'palette';
    this.#dialog.setAttribute('aria-label', 'Search');
    const attributes = {
      name: 'q',
      type: 'text',
      role: 'combobox',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: 'Search, or say what to do: add record, review changes',
      'aria-label': 'Search, or say what to do: add record, review changes',
      'aria-autocomplete': 'list',
      'aria-controls': 'palette-results',
      'aria-expanded': 'false',
    };
    for (const [name, value] of Object.entries(attributes)) this.#field.setAttribute(name, value);
    this.#list.id = 'palette-results';
    this.#list.setAttribute('role', 'listbox');
    this.#list.setAttribute('aria-label', 'Results');
    this.#said.setAttribute('role', 'status');
    this.#said.className = 'muted';
    form.append(this.#field);
    this.#dialog.append(form, this.#list, this.#said);
    document.body.append(this.#dialog);
  }

  async #ask(): Promise<void> {
    const q = this.#field.value.trim();
    this.#asked?.abort();
    if (q === '') return this.#show([], 'Type a name, an address or an id.');
    this.#asked = new AbortController();
    try {
      const url = `${this.#action}?${new URLSearchParams({ q })}`;
      const headers = { accept: 'text/html', 'groundcrew-refresh': '1' };
      const answer = await fetch(url, { headers, redirect: 'manual', signal: this.#asked.signal });
      if (answer.status !== 200) throw new Error('refused');
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const results = resultsOf(page);
      this.#show(results, results.length === 0 ? `Nothing found for “${q}”.` : counted(results.length));
    } catch (error) {
      if ((error as Error).name !== 'AbortError') this.#show([], 'No answer. Press Enter for the search page.');
    }
  }

  #show(results: SearchResult[], said: string): void {
    this.#results = results;
    this.#list.replaceChildren(...results.map(optionOf));
    this.#said.textContent = said;
    this.#field.setAttribute('aria-expanded', String(results.length > 0));
    this.#choose(results.length > 0 ? 0 : -1);
  }

  #key(key: KeyboardEvent): void {
    const last = this.#results.length - 1;
    const moves: Record<string, () => number> = {
      ArrowDown: () => (this.#chosen >= last ? 0 : this.#chosen + 1),
      ArrowUp: () => (this.#chosen <= 0 ? last : this.#chosen - 1),
      PageDown: () => last,
      PageUp: () => 0,
    };
    const move = moves[key.key];
    if (move && last >= 0) {
      key.preventDefault();
      this.#choose(move());
    } else if (key.key === 'Enter' && this.#chosen >= 0) {
      key.preventDefault();
      this.#open(this.#chosen);
    }
  }

  #choose(index: number): void {
    this.#chosen = index;
    for (const [at, option] of this.#options().entries()) option.setAttribute('aria-selected', String(at === index));
    const chosen = this.#options()[index];
    if (chosen) {
      this.#field.setAttribute('aria-activedescendant', chosen.id);
      chosen.scrollIntoView({ block: 'nearest' });
    } else this.#field.removeAttribute('aria-activedescendant');
  }

  #options(): Element[] {
    return [...this.#list.querySelectorAll('[role="option"]')];
  }

  #open(index: number): void {
    const result = this.#results[index];
    if (result) location.assign(result.href);
  }
}

function optionOf({ text, group }: SearchResult, index: number): HTMLLIElement {
  const option = document.createElement('li');
  option.id = `palette-${index}`;
  option.setAttribute('role', 'option');
  const name = document.createElement('span');
  name.textContent = text;
  const kind = document.createElement('span');
  kind.className = 'muted';
  kind.textContent = group;
  option.append(name, kind);
  return option;
}

function counted(results: number): string {
  return `${results === 1 ? '1 result' : `${results} results`}. Arrow keys choose, Enter opens.`;
}
