// The page of a signed-in user: navigation, top bar, strips, and the page's own content in main.

import type { ComponentChildren } from 'preact';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Flash } from '../components/block.tsx';
import { Icon } from '../components/icons.tsx';
import { PageLink } from '../components/page-link.tsx';
import { ConfirmStrip, KeysStrip, PendingStrip, RunningStrip } from '../components/strip.tsx';
import { exact } from '../components/time.tsx';
import { Document } from './document.tsx';
import { mayOpen } from './may-open.ts';
import { grouped, type NavItem, navigationFor } from './navigation.ts';
import { addressOf, type ShellState } from './state.ts';
import { Account, Brand, Driver, HelpLink, SearchForm, ThemeForm } from './top-bar.tsx';

export interface ShellProps {
  state: ShellState;
  /** Title of the document, without the product's name. */
  title: string;
  /** Path of the navigation entry that the page belongs to. */
  current: string;
  nav?: readonly NavItem[];
  /** Address of the paragraph of the help that belongs to the page. */
  help?: string | null;
  /** Units of the plan that the page is the review of. */
  planned?: readonly string[];
  /** What stands at the head of a printed page besides host, time and reader: the id of a plan. */
  paper?: string | null;
  /** Whether it reads itself again without script. */
  refreshes?: boolean;
  children: ComponentChildren;
}

export function Shell({
  state,
  title,
  current,
  nav,
  help = null,
  planned = [],
  paper = null,
  refreshes = false,
  children,
}: ShellProps) {
  const items = nav ?? navigationFor(state.user, state.pending);
  const tokens = items.find(({ href }) => href === pagePath('api-tokens'))?.href ?? null;
  return (
    <Document title={title} theme={state.theme} assets={state.assets} refreshes={refreshes}>
      <div class="shell">
        <header class="bar">
          <Brand />
          <details class="drawer">
            <summary>
              <Icon name="menu" />
              <span>Menu</span>
            </summary>
          </details>
          <Navigation items={items} current={current} />
          <div class="top">
            <SearchForm />
            <Driver host={state.host} />
            {help !== null && <HelpLink href={help} />}
            <ThemeForm theme={state.theme} csrf={state.csrf} returnTo={addressOf(state)} />
            <Account user={state.user} csrf={state.csrf} tokens={tokens} />
          </div>
        </header>
        <div class="work">
          <Strip state={state} planned={planned} />
          {state.unprotected_keys && <KeysStrip archives={mayOpen(state.user, ARCHIVES) ? ARCHIVES : null} />}
          <p class="on-paper">
            {state.hostname}, {exact(state.now)}, printed by {state.user.name}
            {paper !== null && `, ${paper}`}
          </p>
          <main id="main" tabIndex={-1}>
            {state.flash && <Flash flash={state.flash} />}
            {children}
          </main>
        </div>
      </div>
    </Document>
  );
}

const ARCHIVES = pagePath('archives');

/** What waits for a person comes before what runs, and that before what is only saved. */
function Strip({ state, planned }: { state: ShellState; planned: readonly string[] }) {
  if (state.confirm) return <ConfirmStrip confirm={state.confirm} csrf={state.csrf} />;
  if (state.running) return <RunningStrip running={state.running} />;
  return <PendingStrip pending={state.pending} csrf={state.csrf} planned={planned} />;
}

function Navigation({ items, current }: { items: readonly NavItem[]; current: string }) {
  return (
    <nav class="nav" aria-label="Main">
      {grouped(items).map(({ group, items: links }) => {
        const id = group === null ? undefined : `nav-${group.toLowerCase().replaceAll(' ', '-')}`;
        return (
          <div key={links[0]!.href}>
            {group !== null && <p id={id}>{group}</p>}
            <ul aria-labelledby={id}>
              {links.map(({ href, label, pending }) => (
                <li key={href}>
                  <a href={href} aria-current={href === current ? 'page' : undefined}>
                    {label}
                    {pending && (
                      <>
                        <span class="vh">, changed, not applied</span>
                        <Icon name="pending" />
                      </>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

export interface PageHeadProps {
  title: ComponentChildren;
  /** Pages above this one, nearest last. */
  trail?: readonly { href: string; label: ComponentChildren }[];
  /** What the trail ends with, where the title is longer than a name. */
  here?: ComponentChildren;
  /** One sentence on what the page is for. */
  intro?: ComponentChildren;
  /** Buttons beside the title; one of them primary at most. */
  children?: ComponentChildren;
}

export function PageHead({ title, trail = [], here, intro, children }: PageHeadProps) {
  return (
    <>
      {trail.length > 0 && (
        <nav aria-label="Breadcrumb">
          <ol class="crumbs">
            {trail.map(({ href, label }) => (
              <li key={href}>
                <PageLink href={href}>{label}</PageLink>
              </li>
            ))}
            <li aria-current="page">{here ?? title}</li>
          </ol>
        </nav>
      )}
      <div class="head">
        <h1>{title}</h1>
        <div class="head-tools">{children}</div>
        {intro !== undefined && <p>{intro}</p>}
      </div>
    </>
  );
}
