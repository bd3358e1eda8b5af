// The page of a settings document, made from its definition and a table of fields: what the service is for, whether an
// apply enforces it, where clients reach it, and the form.
import * as v from 'valibot';
import { isEnforced } from '../../shared/appliance/edits/settings-operations.ts';
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import type { Subject } from '../../shared/appliance/readiness/subjects.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { AnySettings, SavedSettings } from '../../shared/platform/units/settings.ts';
import { type Listenable, readSettings } from '../../shared/platform/units/settings-store.ts';
import { type NameStanding, standingOfName } from '../../shared/services/dns-dhcp/dns/host-name.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { type FieldOption, Form, FormActions } from '../components/form.tsx';
import { NotEnforced } from '../components/not-enforced.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import {
  editedFrom,
  type LastSave,
  lastSaveOf,
  mayOnlyRead,
  ON_APPLY,
  Refused,
  StaleForm,
  typedInto,
} from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { type Field, FieldGroups, type Group, labelsOf, savedFields } from './fields.tsx';
import { Addresses, hostNameFact } from './reached-at.tsx';
import { ReadinessList } from './readiness.tsx';
import { ServiceState } from './service-state.tsx';

type Members = Record<string, unknown>;
type Saved = SavedSettings<Members>;

/** Interfaces come from the data; the help of a field is the member's description where none is given. */
export type SettingsField =
  | Exclude<Field, { kind: 'interfaces' }>
  | Omit<Extract<Field, { kind: 'interfaces' }>, 'interfaces'>;

export interface SettingsLook {
  title: string;
  /** For notices: `NTP`, `the offline depot`. */
  what: string;
  /** What the service is for, in one sentence. */
  intro: string;
  /** Page above this one, where the unit has one; Cancel leads there. */
  above?: { href: string; label: string };
  /** What the unit does not hold yet, where that is not obvious. */
  later?: string;
  /** Subject whose missing steps are listed here, where the unit has no other page. */
  subject?: Subject;
  /** The switch takes effect when it is saved, without an apply. */
  atOnce?: boolean;
  /** What saving means, where not all of it waits for an apply. */
  saves?: string;
  groups: readonly { legend: string; fields: readonly SettingsField[] }[];
  /** What the choices of a field are, by its name, where the database says. */
  choices?(db: Database): Promise<Choices>;
  /** Facts beyond state, addresses and host name. */
  facts?(saved: Saved, interfaces: readonly Listenable[]): Fact[];
}

type Choices = Readonly<Record<string, readonly FieldOption[]>>;

interface Data {
  readiness: Readiness | null;
  /** The form is shown with the service on, to be saved: whoever came wants to switch it on. */
  on: boolean;
  saved: Saved;
  interfaces: Listenable[];
  choices: Choices;
  name: NameStanding | null;
  last: LastSave | null;
}

export const NOTHING_ON_THE_HOST = 'Saving keeps the desired state. Nothing on the host changes.';

/** `export const page = settingsPage(kmsSettings, {…})` is the whole file of a settings page. */
export function settingsPage(definition: AnySettings, look: SettingsLook): Operation {
  const { component, page, resource, key } = definition;
  return definePage({
    id: `${component.charAt(0).toLowerCase()}${component.slice(1)}SettingsPage`,
    path: page,
    ...(look.above && { current: look.above.href }),
    access: { session: `read:${resource}` },
    query: v.object({ on: v.optional(v.pipe(v.string(), v.maxLength(8))) }),
    async load({ db, services, query, outcome, standings }): Promise<Data> {
      const { saved, interfaces } = await readSettings<Members>(db, definition);
      const hostname = hostNameOf(definition, saved);
      const name = hostname === '' ? null : await standingOfName(db, hostname);
      const choices = (await look.choices?.(db)) ?? {};
      return {
        readiness: look.subject ? await readinessOf(services, look.subject, standings) : null,
        on: query.on !== undefined && 'enabled' in saved,
        saved,
        interfaces,
        choices,
        name,
        last: await lastSaveOf(db, outcome, { type: 'unit_settings', id: key }),
      };
    },
    title: () => look.title,
    view: (props) => <SettingsView {...props} definition={definition} look={look} />,
  });
}

function hostNameOf({ schema, listens }: AnySettings, saved: Saved): string {
  const member = ['hostname', 'portal_hostname'].find((each) => each in schema.entries);
  return member === undefined || listens === 'no' ? '' : String(saved[member]);
}

/** As the form is shown to switch a service on: where only one interface can carry it, that is the choice. */
function switchedOn(saved: Saved, interfaces: readonly Listenable[]): Saved {
  const chosen = saved.listen_interfaces as string[] | undefined;
  const [only, ...others] = interfaces.filter(({ usable }) => usable);
  const chooses = chosen?.length === 0 && only !== undefined && others.length === 0;
  return { ...saved, enabled: true, ...(chooses && { listen_interfaces: [only.name] }) };
}

interface SettingsViewProps extends ViewProps<Data> {
  definition: AnySettings;
  look: SettingsLook;
}

function SettingsView({ data, state, outcome, definition, look }: SettingsViewProps) {
  const { page, component, resource } = definition;
  const { saved, interfaces, choices, last } = data;
  const { title, what, intro, above, later } = look;
  const typed = typedInto(`update${component}SettingsForm`, outcome);
  const groups = groupsOf(definition, look, interfaces, choices);
  const fields = savedFields(groups, saved);
  const enforced = isEnforced(definition);
  const reader = state.user.scopes.includes(`write:${resource}`) ? undefined : mayOnlyRead(what);
  return (
    <>
      <PageHead title={title} intro={intro} {...(above && { trail: [above], here: 'Settings' })} />
      {!enforced && <NotEnforced what={what}>{later}</NotEnforced>}
      {data.readiness && <ReadinessList of={data.readiness} state={state} />}
      <Refused typed={typed} labels={labelsOf(groups)} />
      <StaleForm
        typed={typed}
        name="the settings"
        revision={saved.revision}
        last={last}
        saved={fields}
        now={state.now}
      />
      <div class="with-facts">
        <aside aria-label="As saved">
          <Facts facts={factsOf({ ...data, definition, look, now: state.now, standings: state.standings })} />
        </aside>
        <Form action={page} csrf={state.csrf} {...editedFrom(typed, saved.revision, fields)} label={title}>
          <FieldGroups groups={groups} saved={data.on ? switchedOn(saved, interfaces) : saved} typed={typed} />
          <FormActions note={enforced ? (look.saves ?? ON_APPLY) : NOTHING_ON_THE_HOST}>
            <Button kind="primary" unavailable={reader}>
              Save settings
            </Button>
            {above && <ButtonLink href={above.href}>Cancel</ButtonLink>}
          </FormActions>
        </Form>
      </div>
    </>
  );
}

function groupsOf(
  { schema }: AnySettings,
  { groups }: SettingsLook,
  interfaces: readonly Listenable[],
  choices: Choices,
): Group[] {
  const entries = schema.entries as Record<string, v.GenericSchema>;
  const complete = (field: SettingsField): Field => {
    const help = field.help ?? HELPS[field.kind] ?? describing(field, entries);
    const chosen = field.kind === 'choice' ? { ...field, options: choices[field.name] ?? field.options } : field;
    const own = chosen.kind === 'interfaces' ? { ...chosen, interfaces } : chosen;
    return { ...own, ...(help !== undefined && { help }) };
  };
  return groups.map(({ legend, fields }) => ({ legend, fields: fields.map(complete) }));
}

/** What the field says where neither the table nor the member's description should. */
const HELPS: Partial<Record<Field['kind'], string>> = {
  interfaces: 'Clients reach it at the addresses of these interfaces.',
};

/** A switch says what it does beside its box. */
const describing = ({ kind, name }: SettingsField, entries: Record<string, v.GenericSchema>): string | undefined =>
  kind === 'switch' ? undefined : v.getDescription(entries[name]!);

interface FactsProps extends Data {
  definition: AnySettings;
  look: SettingsLook;
  now: string;
  standings: ShellState['standings'];
}

function factsOf({ saved, interfaces, name, definition, look, now, standings }: FactsProps): Fact[] {
  const enabled = saved.enabled === true;
  const addresses = saved.listen_addresses ?? [];
  const hostname = hostNameOf(definition, saved);
  const facts: Fact[] = [];
  if ('enabled' in saved) {
    const { unit, key: document } = definition;
    const atOnce = look.atOnce === true;
    facts.push({ label: 'State', value: <ServiceState {...{ standings, unit, document, enabled, atOnce }} /> });
  }
  if (definition.listens !== 'no') {
    facts.push({
      label: 'Listen addresses',
      value: (
        <>
          <Addresses addresses={addresses} />
          {addresses.length > 0 && <p class="muted">They follow when an interface is edited.</p>}
        </>
      ),
    });
  }
  const named = ['hostname', 'portal_hostname'].some((member) => member in saved);
  if (named && definition.listens !== 'no') facts.push(hostNameFact({ hostname, enabled, addresses, standing: name }));
  facts.push(...(look.facts?.(saved, interfaces) ?? []), {
    label: 'Last saved',
    value: <LastSaved saved={saved} now={now} />,
  });
  return facts;
}

function LastSaved({ saved: { updated_at, revision }, now }: { saved: Saved; now: string }) {
  if (updated_at === null) return <span class="muted">never: the form shows the defaults</span>;
  return (
    <>
      <Instant at={updated_at} now={now} />, revision {revision}
    </>
  );
}
