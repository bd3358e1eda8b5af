// Text of files, logs and commands, as it is.
import type { ComponentChildren } from 'preact';
import { Scroll } from './scroll.tsx';

/** A block that scrolls by itself when a line is long; `label` names it for assistive technology. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <Scroll class="code-block" label={label}>
      <pre>{children}</pre>
    </Scroll>
  );
}

/** What a thing is called: monospace for addresses and full names, which are read letter by letter, not for prose. */
export function Name({ children }: { children: string }) {
  return /^\S*[.:/]\S*$/.test(children) ? <code>{children}</code> : <span>{children}</span>;
}

/** The name of a file, which is broken before what says its kind rather than within: `lab-20261127.gcarchive`. */
export function FileName({ children }: { children: string }): ComponentChildren {
  const at = children.search(/(?:\.[A-Za-z][A-Za-z0-9]*)+$/);
  return at <= 0 ? (
    children
  ) : (
    <>
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </>
  );
}

/** The first of many, and the rest behind how many they are. */
export function FirstOf({ most, items }: { most: number; items: readonly ComponentChildren[] }) {
  const rest = items.length - most;
  if (rest <= 1) return <>{items}</>;
  return (
    <>
      {items.slice(0, most)}
      <More summary={`and ${rest} more`}>{items.slice(most)}</More>
    </>
  );
}

/** Something long that a person opens when he wants it. */
export function More({ summary, children }: { summary: string; children: ComponentChildren }) {
  return (
    <details class="more">
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

/** Ids and digests, for who needs them: people read names. */
export function Ids({ of }: { of: Readonly<Record<string, string>> }) {
  return (
    <More summary="Show">
      {Object.entries(of).map(([name, id]) => (
        <span key={name} class="line">
          {name} <code class="wrap">{id}</code>
        </span>
      ))}
    </More>
  );
}
