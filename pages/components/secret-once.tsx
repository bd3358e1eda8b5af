// A secret that is shown once, right after it was made. The page around it is never stored or cached.
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';

export interface SecretOnceProps {
  title: string;
  secret: string;
  /** What becomes of it here, where it is more than a hash. */
  kept?: string;
  /** Where and how it is used. */
  children?: ComponentChildren;
}

const KEPT = 'Only a hash is kept: nobody can show it again.';

/** Selectable as one word; the copy button stays hidden until a script takes `data-copy` (id of the text) over. */
export function SecretOnce({ title, secret, kept = KEPT, children }: SecretOnceProps) {
  return (
    <section class="secret" aria-labelledby="secret-title">
      <h2 id="secret-title">{title}</h2>
      <p>
        <b>Copy it now.</b> {kept}
      </p>
      <div class="secret-value">
        <code id="secret-value">{secret}</code>
        <button type="button" class="btn" data-copy="secret-value" hidden>
          <Icon name="copy" />
          Copy
        </button>
      </div>
      {children}
    </section>
  );
}
