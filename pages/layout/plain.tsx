// The page without the shell: sign-in, the public home, problems met before anybody signed in.
import type { ComponentChildren } from 'preact';
import { ExactInstant } from '../components/time.tsx';
import { Document } from './document.tsx';
import type { PlainState } from './state.ts';
import { Brand, Driver } from './top-bar.tsx';

export interface PlainProps {
  state: PlainState;
  title: string;
  /** Where the brand leads to. */
  home?: string;
  /** Beside the main column: what helps to be sure that this is the right appliance. */
  aside?: ComponentChildren;
  /** Default: yes. */
  script?: boolean;
  children: ComponentChildren;
}

export function Plain({ state, title, home = '/', aside, script = true, children }: PlainProps) {
  return (
    <Document title={title} theme={state.theme} assets={state.assets} script={script}>
      <div class="plain">
        <header>
          <Brand href={home} />
          {state.host && <Driver host={state.host} />}
        </header>
        <main id="main" tabIndex={-1} class={aside ? undefined : 'alone'}>
          <div>{children}</div>
          {aside && <aside aria-label="About this appliance">{aside}</aside>}
        </main>
        <footer class="muted">
          <span>{`Groundcrew ${state.version}`.trim()}</span>
          <span>
            Appliance clock <ExactInstant at={state.now} />
          </span>
        </footer>
      </div>
    </Document>
  );
}
