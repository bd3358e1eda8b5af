// Copy buttons, `data-copy` naming the element whose text they take; they are hidden until this script is here.
import { nowAndAfterSwaps } from './swapped.ts';

const SAID_MS = 2000;

export function offerCopies(): void {
  nowAndAfterSwaps(() => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) button.hidden = false;
  });
  document.addEventListener('click', (click) => {
    const button = (click.target as Element).closest<HTMLButtonElement>('[data-copy]');
    const source = button && document.getElementById(button.dataset.copy ?? '');
    if (button && source) void copied(source).then((done) => say(button, done ? 'Copied' : 'Press Ctrl+C'));
  });
}

/** The clipboard is only offered over TLS and on localhost; elsewhere the selected text is copied the old way. */
async function copied(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}

function say(button: HTMLButtonElement, words: string): void {
  const text = [...button.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
  if (!text) return;
  const before = button.dataset.before ?? text.nodeValue ?? '';
  button.dataset.before = before;
  button.setAttribute('aria-live', 'polite');
  text.nodeValue = words;
  setTimeout(() => {
    text.nodeValue = before;
  }, SAID_MS);
}
