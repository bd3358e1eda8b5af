// A file with a private key that is given once. It is in the page itself: nothing else has it, and no address leads to it.
import type { ComponentChildren } from 'preact';

export function KeyFile({ name, base64, children }: { name: string; base64: string; children: ComponentChildren }) {
  return (
    <section class="secret" aria-labelledby="secret-title">
      <h2 id="secret-title">The file</h2>
      <p>
        <b>Save it now.</b> {children}
      </p>
      <div class="actions">
        <a class="btn btn-primary" download={name} href={`data:application/x-pkcs12;base64,${base64}`}>
          Save {name}
        </a>
      </div>
    </section>
  );
}
