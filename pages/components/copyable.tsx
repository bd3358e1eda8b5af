// A value that is typed elsewhere: an address, a name, a path. The copy button appears when a script can serve it.
import { Icon } from './icons.tsx';

/** `id` is unique on the page: the script finds the text by it. */
export function Copyable({ id, text }: { id: string; text: string }) {
  return (
    <span class="copyable">
      <code id={id}>{text}</code>
      <button type="button" class="btn btn-row" data-copy={id} aria-label={`Copy ${text}`} hidden>
        <Icon name="copy" />
        Copy
      </button>
    </span>
  );
}
