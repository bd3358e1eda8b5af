// Components and layout as they leave the server: escaping, names for assistive technology, links that keep the query,
// and nothing that the Content-Security-Policy would refuse.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Diff } from '../../pages/components/diff.tsx';
import { ErrorSummary, errorOf, fieldId } from '../../pages/components/error-summary.tsx';
import { FilterBar } from '../../pages/components/filter-bar.tsx';
import { Form, SelectField, TextField } from '../../pages/components/form.tsx';
import { ICON_NAMES, Sprite } from '../../pages/components/icons.tsx';
import { layoutNetworkMap, pendingLabel, spread } from '../../pages/components/network-map-layout.ts';
import { placesOf, usesOf } from '../../pages/components/network-map-links.ts';
import { Pagination } from '../../pages/components/pagination.tsx';
import { linkWith } from '../../pages/components/query.ts';
import { DataTable, sortOf } from '../../pages/components/table.tsx';
import { countdown, duration, Instant, relative } from '../../pages/components/time.tsx';
import { timelineGeometry } from '../../pages/components/timeline.tsx';
import { whatDiffers } from '../../pages/interfaces/preview.tsx';
import { grouped, NAVIGATION, navigationFor } from '../../pages/layout/navigation.ts';
import { Shell } from '../../pages/layout/shell.tsx';
import { addressOf } from '../../pages/layout/state.ts';
import { CredentialPicker } from '../../pages/remote/picker.tsx';
import { GALLERY, map, NOW, options, page, place, state, table } from './gallery.tsx';

/** Every tag with its attributes, quoted values taken out, so that text can't be mistaken for markup. */
const tagsOf = (html: string): string[] =>
  (html.match(/<[a-z](?:[^>"]|"[^"]*")*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'));
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);

describe.each(Object.entries(GALLERY))('%s', (_, vnode) => {
  const html = renderToString(vnode);

  test('escapes what it is given', () => {
    expect(html).not.toContain('<img');
    expect(html.length).toBeGreaterThan(40);
  });

  test('has nothing inline that the policy refuses', () => {
    for (const tag of tagsOf(html)) expect(tag).not.toMatch(/ (style|on[a-z]+)=/);
    expect(html).not.toMatch(/<style|javascript:|<script(?![^>]* src=)/);
  });

  test('has no id twice, and every reference within it arrives', () => {
    const ids = idsOf(html);
    expect(ids).toEqual([...new Set(ids)]);
    for (const [, references] of html.matchAll(/ aria-(?:describedby|labelledby)="([^"]*)"/g)) {
      for (const id of references!.split(' ')) expect(ids).toContain(id);
    }
    for (const [, id] of html.matchAll(/<label for="([^"]*)"/g)) expect(ids).toContain(id);
  });

  test('every scrolling region takes the focus and has a name', () => {
    for (const tag of html.match(/<section class="(scroll|canvas|diff|code-block)"(?:[^>"]|"[^"]*")*>/g) ?? []) {
      expect(tag).toMatch(/aria-label="/);
      expect(tag).toMatch(/tabindex="0"/i);
    }
  });
});

describe('form fields', () => {
  test('an error and a help text are bound to the control, the error first', () => {
    const html = renderToString(<TextField name="mtu" label="MTU" value="9" help="576 to 9216" error="too small" />);
    expect(html).toMatch(/<input[^>]*aria-describedby="mtu-error mtu-help"/);
    expect(html).toMatch(/<input[^>]*aria-invalid="true"/);
    expect(html).toMatch(/<p class="err" id="mtu-error">.*too small/);
  });
  test('without error nothing is invalid', () => {
    expect(renderToString(<TextField name="mtu" label="MTU" value={1500} />)).not.toMatch(/aria-/);
  });
  test('a form carries its token and revision', () => {
    const html = renderToString(
      <Form action="/x" csrf="abc" revision={17}>
        {null}
      </Form>,
    );
    expect(html).toContain('<input type="hidden" name="csrf" value="abc"/>');
    expect(html).toContain('<input type="hidden" name="revision" value="17"/>');
  });
  test('the chosen option is selected and an unavailable one says why', () => {
    const html = renderToString(<SelectField name="mode" label="Mode" value="access" options={options} />);
    expect(html).toMatch(/<option[^>]*selected[^>]*>&lt;img/);
    expect(html).toContain('trunk (it has addresses)');
  });
  test.each([
    ['/ipv4_cidr', 'ipv4_cidr'],
    ['/ranges/0/start', 'ranges-0-start'],
    ['?limit', 'limit'],
    ['{name}', 'name'],
  ])('%s points at the field %s', (pointer, id) => {
    expect(fieldId(pointer)).toBe(id);
    expect(errorOf([{ pointer, detail: 'wrong' }], id)).toBe('wrong');
    expect(renderToString(<ErrorSummary errors={[{ pointer, detail: 'wrong' }]} />)).toContain(`href="#${id}"`);
  });
  test.each([
    ['url', 'URL', 'https://vc01.lab.example:8443/ui/login?org=a&amp;b'],
    ['server', 'Server', 'vc01.lab.example:8443'],
  ] as const)('a login of a vault fills a field for its %s', (shows, label, value) => {
    const url = 'https://vc01.lab.example:8443/ui/login?org=a&b';
    const credential = {
      ...{ choice_id: 'entry_1.aa', entry_id: 'entry_1', key: 'vc01.sso', username: 'administrator@vsphere.local' },
      ...{ uri: url, server: 'vc01.lab.example:8443', url, description: '', last_used_at: null },
    };
    const stored = { vault_id: 'vault_1', choice_id: 'entry_1.aa', vault: 'lab', credential } as never;
    const vaults = [{ id: 'vault_1', name: 'lab', entry_count: 1 }];
    const offered = { vaults, choices: [credential], more: false, unusable: null };
    const html = renderToString(<CredentialPicker {...{ offered, stored, shows }} vault_id="vault_1" search="" />);
    expect(html).toContain(`<label for="picked-${shows}">${label}</label>`);
    // Without a name: it is not sent.
    expect(html).toContain(`<input id="picked-${shows}" class="mono wide" value="${value}" readonly/>`);
    // What another choice of the list would fill in.
    expect(html).toMatch(/<option[^>]* data-url="https:\/\/vc01\.lab\.example:8443\/ui\/login\?org=a&amp;b"/);
  });
  test('no error, no summary', () => {
    expect(renderToString(<ErrorSummary errors={[]} />)).toBe('');
  });
});

describe('lists', () => {
  const html = renderToString(table as VNode);
  test('the first column is the header of its row', () => {
    expect(html).toMatch(/<tr class="child last"><th scope="row"/);
  });
  test('sorting keeps the filter, turns round, and starts at the first page', () => {
    expect(html).toMatch(/aria-sort="ascending"><a href="\/ui\/management\/dns\?role=access&amp;sort=-name"/);
    expect(html).toContain('href="/ui/management/dns?role=access&amp;sort=value"');
  });
  test('an unknown sort key is ignored', () => {
    expect(sortOf('?sort=password', ['name'])).toBeNull();
    expect(sortOf('sort=-name', ['name'])).toEqual({ key: 'name', descending: true });
  });
  test('an empty list says so instead of showing an empty table', () => {
    const nothing = (
      <DataTable
        caption="x"
        columns={[{ key: 'a', label: 'A', cell: () => '' }]}
        rows={[]}
        rowKey={String}
        empty="No record yet."
      />
    );
    expect(renderToString(nothing)).toBe('<div class="empty"><p>No record yet.</p></div>');
  });
  test('the next page keeps filter and sort', () => {
    const pages = renderToString(<Pagination place={place} nextCursor="def" />);
    expect(pages).toContain('?role=access&amp;sort=name&amp;cursor=def');
    expect(pages).toContain('?role=access&amp;sort=name"');
  });
  test('a list of one page has no page links', () => {
    expect(renderToString(<Pagination place={{ path: '/x', query: '' }} nextCursor={null} />)).toBe('');
  });
  test('a filter form carries what it has no field for, but not the cursor', () => {
    const bar = renderToString(<FilterBar place={place} search={{ name: 'role', label: 'Role', value: 'access' }} />);
    expect(bar).toContain('<input type="hidden" name="sort" value="name"/>');
    expect(bar).not.toContain('cursor');
  });
  test('removing the last parameter leaves the bare path', () => {
    expect(linkWith({ path: '/x', query: 'a=1' }, { a: null })).toBe('/x');
  });
  test('rows beyond the limit of a diff are counted', () => {
    const changes = ['a', 'b', 'c'].map((setting) => ({ setting, before: null, after: '1' }));
    expect(renderToString(<Diff subject="NTP" changes={changes} limit={2} />)).toContain('and 1 more');
  });
});

describe('time', () => {
  test.each([
    ['2026-03-14T09:41:07Z', 'just now'],
    ['2026-03-14T09:40:55Z', '12 s ago'],
    ['2026-03-14T09:38:20Z', '3 min ago'],
    ['2026-03-14T06:41:07Z', '3 h ago'],
    ['2026-03-01T09:41:07Z', '13 d ago'],
    ['2026-03-14T09:46:07Z', 'in 5 min'],
  ])('%s is %s', (at, words) => expect(relative(at, NOW)).toBe(words));
  test('the exact instant is in the title', () => {
    expect(renderToString(<Instant at="2026-03-14T09:40:55.120Z" now={NOW} />)).toContain(
      'title="2026-03-14 09:40:55 UTC"',
    );
  });
  test('durations and countdowns', () => {
    expect([41, 1500, 138_000, 300_000].map(duration)).toEqual(['41 ms', '1.5 s', '2 min 18 s', '5 min']);
    expect([162, 5, -1].map(countdown)).toEqual(['2:42', '0:05', '0:00']);
  });
});

describe('figures', () => {
  test('boxes of one column never overlap and keep their order', () => {
    expect(spread([100, 100, 100])).toEqual([66, 100, 134]);
    expect(spread([46, 46, Number.NaN])).toEqual([46, 80, 114]);
    const positions = spread([500, 60, 61, 62, 400, 400]);
    for (let index = 1; index < positions.length; index += 1) {
      expect(positions[index]! - positions[index - 1]!).toBeGreaterThanOrEqual(34);
    }
  });
  test('a service follows when all its addresses do, and is bad when one is', () => {
    const standing = Object.fromEntries(
      layoutNetworkMap(map).boxes.map((box) => [box.label, [box.standing, box.note]]),
    );
    expect(standing).toMatchObject({
      'DHCP scope lab-30': ['pending', 'follows on apply'],
      'DNS listener': ['solid', '2 addresses, 1 follows'],
      'NFS iso-library': ['bad', 'duplicate address'],
      'Offline depot': ['solid', 'no address'],
      '172.16.30.2 → .31.2/24': ['pending', null],
    });
  });
  test('a service that its interface cannot carry is joined to what stands there, and says why', () => {
    const [plain, empty] = [{ cidr: '10.0.0.1/24' }, { cidr: 'no address', problem: 'nothing answers' }];
    const places = placesOf([
      { name: 'ens192', addresses: [plain], vlans: [] },
      { name: 'ens224', addresses: [empty], vlans: [] },
    ]);
    const service = { label: 'NTP', page: '/ntp', addresses: ['10.0.0.1'], interfaces: ['ens192', 'ens224', 'ens999'] };
    const [whole] = usesOf([{ ...service, problem: 'ens224 is disabled', detail: '2 reservations' }], places);
    expect(whole).toMatchObject({ at: [0, 1], standing: 'bad', wires: ['solid', 'bad'] });
    expect(whole?.note).toBe('ens224 is disabled, 2 reservations');
    const [gone] = usesOf([{ ...service, addresses: [], interfaces: ['ens999'], problem: 'ens999 is gone' }], places);
    expect(gone).toMatchObject({ at: [], standing: 'bad', note: 'ens999 is gone' });
  });
  test('of two lists of addresses only what differs is shown', () => {
    expect(whatDiffers({ from: 'a, b, c', to: 'a, x, c' })).toEqual({ from: 'b', to: 'x' });
    expect(whatDiffers({ from: 'a', to: '' })).toEqual({ from: 'a', to: '' });
  });
  test('an empty appliance has a map without boxes', () => {
    expect(layoutNetworkMap({ interfaces: [], services: [] })).toMatchObject({ boxes: [], wires: [], height: 66 });
  });
  test.each([
    ['172.16.30.2/24', '172.16.31.2/24', '172.16.30.2 → .31.2/24'],
    ['10.0.0.1/24', '10.0.0.1/25', '10.0.0.1 → .1/25'],
    ['10.0.0.1/24', '192.168.0.1/24', '10.0.0.1 → 192.168.0.1/24'],
    ['fd00::1/64', 'fd01::1/64', 'fd00::1 → fd01::1/64'],
  ])('%s becoming %s reads %s', (from, to, label) => expect(pendingLabel(from, to)).toBe(label));
  test('the scale of a timeline is made of the work, not of the wait after it', () => {
    const work = { kind: 'act', start_ms: 0, duration_ms: 7300 } as const;
    const wait = { kind: 'wait', start_ms: 7300, duration_ms: 300_000 } as const;
    const { ticks, box } = timelineGeometry([{ label: 'a', bars: [work, wait] }], 307_300);
    expect(ticks.map(({ ms }) => ms)).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]);
    expect(box(wait).x + box(wait).width).toBeLessThanOrEqual(992);
  });
  test('every bar of any timeline stays inside the drawing', () => {
    for (const total of [0, 1, 9, 999, 60_001, 86_400_000]) {
      const bar = { kind: 'write', start_ms: 0, duration_ms: total } as const;
      const { ticks, box } = timelineGeometry([{ label: 'a', bars: [bar] }], total);
      expect(ticks.length).toBeLessThanOrEqual(10);
      // Room for half of a label such as `4 min 30 s`.
      expect(ticks.at(-1)!.x).toBeLessThanOrEqual(992 - 40);
      expect(box(bar).x + box(bar).width).toBeLessThanOrEqual(992);
    }
  });
});

describe('shell', () => {
  const html = renderToString(page);
  test('theme, assets and title', () => {
    expect(html).toContain('<html lang="en" data-theme="dark">');
    expect(html).toContain('<link rel="stylesheet" href="/assets/app-1.css"/>');
    expect(html).toMatch(/<script type="module" src="\/assets\/app-1.js" defer(="true")?><\/script>/);
    expect(html).toContain(' · Groundcrew</title>');
  });
  test('the skip link comes first and leads to main', () => {
    expect(html).toMatch(/<body><a class="skip" href="#main">/);
    expect(html).toContain('<main id="main" tabindex="-1">');
  });
  test('every form that changes something carries the session token', () => {
    const forms = html.match(/<form[^>]*method="post".*?<\/form>/g)!;
    expect(forms.length).toBe(3);
    for (const form of forms) expect(form).toContain('name="csrf" value="token-of-the-session"');
  });
  test('the theme form comes back to the same address', () => {
    expect(html).toContain('name="return_to" value="/ui/management/dns?show=pending"');
    expect(addressOf({ path: '/x', query: '?' })).toBe('/x');
  });
  test('the driver is said plainly', () => {
    expect(html).toContain('<b>Rehearsal</b><span class="means">: nothing on this machine is changed</span>');
  });
  test('a running apply takes the place of the pending changes', () => {
    const running = { job_id: 'job_5tq9', plan_id: 'plan_8k2f', text: '2 of 3 units' };
    const busy = renderToString(
      <Shell state={{ ...state, running }} title="x" current="" nav={[]}>
        {null}
      </Shell>,
    );
    expect(busy).toContain('href="/ui/management/appliance-apply/plan_8k2f"');
    expect(busy).not.toContain('Review changes');
  });
  test('only ready pages that the user may read are shown, changed ones marked', () => {
    const ready = NAVIGATION.map((entry) => ({ ...entry, ready: entry.label !== 'DHCP' }));
    const items = navigationFor({ scopes: ['write:dns', 'read:dhcp'] }, [{ id: 'dns-dhcp', label: 'x' }], ready);
    expect(items.map(({ label, pending }) => [label, pending])).toEqual([
      ['Overview', false],
      ['DNS', true],
      ['Deployment helper', false],
    ]);
    expect(grouped(items).map(({ group }) => group)).toEqual([null, 'Core services', 'VCF']);
  });
  test('no two entries of the navigation share an address', () => {
    expect(new Set(NAVIGATION.map(({ href }) => href)).size).toBe(NAVIGATION.length);
  });
  test('the current page is marked once', () => {
    expect(html.match(/aria-current="page"/g)).toHaveLength(2); // its link, and the end of the trail
  });
});

describe('sources', () => {
  const styles = 'pages/styles';
  const sheets = readdirSync(styles).map((name) => [name, readFileSync(`${styles}/${name}`, 'utf8')] as const);
  // That of the terminal is of its page alone, with that of xterm.
  const ENTRIES = ['app.css', 'terminal.css'];
  test('every stylesheet is imported, once', () => {
    const app = sheets.find(([name]) => name === 'app.css')![1];
    for (const [name] of sheets) if (!ENTRIES.includes(name)) expect(app.split(`"./${name}"`)).toHaveLength(2);
  });
  test('no text is smaller than 14 px', () => {
    for (const [name, text] of sheets) {
      for (const [, size, unit] of text.matchAll(/font(?:-size)?:[^;]*?([\d.]+)(px|rem)/g)) {
        expect([name, Number(size) * (unit === 'rem' ? 16 : 1) >= 14]).toEqual([name, true]);
      }
    }
  });
  test('the sprite draws every icon', () => {
    const html = renderToString(<Sprite />);
    for (const name of ICON_NAMES) expect(html).toContain(`id="i-${name}"`);
  });
});
