// Parts of the bar on top, shared by pages with and without the shell: brand, host driver, theme, search, account.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Icon, type IconName } from '../components/icons.tsx';
import { ACCOUNT_PATH, EXPLORER_PATH, SEARCH_PATH, SIGN_OUT_PATH, THEME_PATH } from './navigation.ts';
import type { HostNotice, Theme } from './state.ts';

export function Brand({ href = pagePath('overview') }: { href?: string }) {
  return (
    <a class="brand" href={href}>
      <Icon name="brand" />
      Groundcrew
    </a>
  );
}

const MEANS: Record<HostNotice['kind'], { icon: IconName; text: string }> = {
  rehearsal: { icon: 'chocks', text: 'nothing on this machine is changed' },
  namespace: { icon: 'chocks', text: 'only this network namespace is changed' },
  system: { icon: 'play', text: 'applies change this appliance' },
};

/** What an apply would touch, plainly, on every page. */
export function Driver({ host }: { host: HostNotice }) {
  const { icon, text } = MEANS[host.kind];
  return (
    <p class="driver">
      <Icon name={icon} />
      <span>
        <b>{host.label}</b>
        <span class="means">: {text}</span>
      </span>
    </p>
  );
}

export function HelpLink({ href }: { href: string }) {
  return (
    <a class="help-link" href={href}>
      <Icon name="help" />
      <span>Help</span>
    </a>
  );
}

const THEMES: readonly { value: Theme; icon: IconName; label: string }[] = [
  { value: 'system', icon: 'system', label: 'System theme' },
  { value: 'light', icon: 'sun', label: 'Light theme' },
  { value: 'dark', icon: 'moon', label: 'Dark theme' },
];

export function ThemeForm({ theme, csrf, returnTo }: { theme: Theme; csrf: string; returnTo: string }) {
  return (
    <form class="seg" method="post" action={THEME_PATH} aria-label="Theme">
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="return_to" value={returnTo} />
      {THEMES.map(({ value, icon, label }) => (
        <button
          key={value}
          type="submit"
          name="theme"
          value={value}
          aria-pressed={value === theme ? 'true' : 'false'}
          aria-label={label}
          title={label}
        >
          <Icon name={icon} />
        </button>
      ))}
    </form>
  );
}

export function SearchForm() {
  return (
    <search class="search">
      <form method="get" action={SEARCH_PATH}>
        <Icon name="search" />
        <label class="vh" for="search">
          Search pages, interfaces, records, hosts, jobs
        </label>
        <input id="search" name="q" type="search" placeholder="Search records, hosts, jobs" autocomplete="off" />
        <kbd>Ctrl K</kbd>
      </form>
    </search>
  );
}

export interface AccountProps {
  user: { name: string; role: string };
  csrf: string;
  /** Page of the user's tokens, where he may see it. */
  tokens: string | null;
}

export function Account({ user, csrf, tokens }: AccountProps) {
  return (
    <details class="account">
      <summary>
        <Icon name="user" />
        <b>{user.name}</b>
        <span class="vh">account</span>
        <Icon name="down" />
      </summary>
      <div class="menu">
        <p>
          Signed in as <b>{user.name}</b>
          <span class="muted line">Role: {user.role}</span>
        </p>
        <ul>
          <li>
            <a href={ACCOUNT_PATH}>Your account</a>
          </li>
          <li>
            <a href={`${ACCOUNT_PATH}#password-title`}>Change password</a>
          </li>
          {tokens !== null && (
            <li>
              <a href={tokens}>API Tokens</a>
            </li>
          )}
          <li>
            <a href={EXPLORER_PATH}>API explorer</a>
          </li>
          <li>
            <form method="post" action={SIGN_OUT_PATH}>
              <input type="hidden" name="csrf" value={csrf} />
              <button type="submit">Sign out</button>
            </form>
          </li>
        </ul>
      </div>
    </details>
  );
}
