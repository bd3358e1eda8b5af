// A list with nothing in it: one sentence that says why, and the action that changes it.
import type { ComponentChildren } from 'preact';

export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action}
    </div>
  );
}
