// The button with which the script asks the browser for a passkey, and sends what it answers. Without script it is not there.
import { Button } from '../components/button.tsx';
import { HiddenField } from '../components/form.tsx';

interface PasskeyAskProps {
  /** `create`: a new one; `get`: one that there is. */
  does: 'create' | 'get';
  /** What the browser is asked, as JSON. */
  options: Record<string, unknown>;
  action: string;
  csrf: string;
  children: string;
}

export function PasskeyAsk({ does, options, action, csrf, children }: PasskeyAskProps) {
  return (
    <form class="form stack" method="post" action={action} data-passkey={does} data-options={JSON.stringify(options)}>
      <HiddenField name="csrf" value={csrf} />
      <HiddenField name="credential" value="" />
      <p class="muted" data-passkey-without="true">
        A passkey needs the script of this page, which is not running.
      </p>
      <div class="actions" data-passkey-with="true" hidden>
        <Button kind="primary">{children}</Button>
      </div>
      <p class="err" role="alert" data-passkey-says="true" hidden />
    </form>
  );
}
