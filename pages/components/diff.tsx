// What an apply changes: settings side by side, and the rendered files as a unified diff.
import type { ComponentChildren } from 'preact';
import { Scroll } from './scroll.tsx';

/** One setting; null where it is absent. Equal sides are shown plainly, as context. */
export interface SettingChange {
  setting: string;
  before: string | null;
  after: string | null;
}

export interface DiffProps {
  /** What changes: "Network". */
  subject: string;
  changes: readonly SettingChange[];
  /** Rows shown before the rest is only counted. */
  limit?: number;
  /** How many there are, when not all of them were kept. */
  total?: number;
  /** Between the settings and the rendered files. */
  children?: ComponentChildren;
  /** Unified diff of the rendered files. */
  raw?: string | null;
}

const absent = <span class="muted">absent</span>;

export function Diff({ subject, changes, limit = 40, total, children, raw }: DiffProps) {
  const shown = changes.slice(0, limit);
  const more = (total ?? changes.length) - shown.length;
  return (
    <>
      {changes.length > 0 && (
        <Scroll class="diff" label={`Changes in ${subject}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Setting</th>
                <th scope="col">In force</th>
                <th scope="col">After apply</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ setting, before, after }) => (
                <tr key={setting}>
                  <th scope="row">{setting}</th>
                  <td>{before === null ? absent : before === after ? before : <del>{before}</del>}</td>
                  <td>{after === null ? absent : before === after ? after : <ins>{after}</ins>}</td>
                </tr>
              ))}
              {more > 0 && (
                <tr>
                  <td colSpan={3} class="muted">
                    and {more.toLocaleString('en')} more
                  </td>
                </tr>
              )}
            </tbody>
          </table>
        </Scroll>
      )}
      {children}
      {raw && <RawDiff subject={subject} text={raw} />}
    </>
  );
}

const LINE_KINDS: readonly (readonly [start: string, look: string])[] = [
  ['+++', 'd-file'],
  ['---', 'd-file'],
  ['@@', 'd-at'],
  ['+', 'd-add'],
  ['-', 'd-del'],
];

interface RawDiffProps {
  subject: string;
  text: string;
  summary?: string;
  open?: boolean;
}

/** A unified diff, closed at first unless it is what has to be looked at. */
export function RawDiff({ subject, text, summary = 'Rendered files, raw', open = false }: RawDiffProps) {
  return (
    <details class="raw" open={open}>
      <summary>{summary}</summary>
      <Scroll
        class="code-block"
        label={`${summary === 'Rendered files, raw' ? 'Rendered files' : summary} of ${subject}`}
      >
        <pre>
          {text.split('\n').map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, on the server; lines repeat
            <span key={index} class={LINE_KINDS.find(([start]) => line.startsWith(start))?.[1]}>
              {`${line}\n`}
            </span>
          ))}
        </pre>
      </Scroll>
    </details>
  );
}
