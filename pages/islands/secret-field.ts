// Buttons at a field for a secret: what is typed can be seen, and one can be made up.
import { nowAndAfterSwaps } from './swapped.ts';

export function offerSecretTools(): void {
  nowAndAfterSwaps(() => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-peek], [data-generate]')) {
      button.hidden = false;
    }
  });
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('[data-peek], [data-generate]');
    if (!button) return;
    const { peek, generate } = button.dataset;
    const field = document.getElementById(peek ?? generate ?? '') as HTMLInputElement | null;
    if (!field) return;
    if (generate !== undefined) field.value = madeUp();
    field.type = generate !== undefined || field.type === 'password' ? 'text' : 'password';
    const shows = document.querySelector(`[data-peek="${field.id}"]`);
    shows?.setAttribute('aria-pressed', String(field.type === 'text'));
  });
  // What can be read must not come back as something that the browser remembers of a text field.
  document.addEventListener('submit', () => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-peek]')) {
      const field = document.getElementById(button.dataset.peek ?? '') as HTMLInputElement | null;
      if (field) field.type = 'password';
    }
  });
}

/** Without letters and digits that look alike; signs that no shell, Kickstart or URL gives a meaning of its own. */
const KINDS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '!@^_-'] as const;
const LENGTH = 20;

/** 20 characters with some of each kind: about 116 bits. */
function madeUp(): string {
  for (;;) {
    const text = Array.from({ length: LENGTH }, () => oneOf(KINDS.join(''))).join('');
    if (KINDS.every((kind) => [...kind].some((each) => text.includes(each)))) return text;
  }
}

/** Each as likely as any other. */
function oneOf(characters: string): string {
  const whole = 256 - (256 % characters.length);
  for (;;) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < whole) return characters.charAt(byte % characters.length);
  }
}
