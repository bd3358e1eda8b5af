// The rules of alerts: thresholds, how long a condition lasts before it is told, and what is told at all.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { CONDITION_IDS } from '../../shared/vcf/alerts/condition-ids.ts';
import { RULES_DEFAULTS, type Rules, readRules, type SavedRules } from '../../shared/vcf/alerts/rules.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { CheckGroup, FieldGroup, Form, FormActions, TextField } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import {
  editedFrom,
  type LastSave,
  lastSaveOf,
  mayOnlyRead,
  Refused,
  type SavedField,
  StaleForm,
  type Typed,
  typedInto,
} from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ALERTS, CONDITION_WORDS } from './alert-words.tsx';

const PATH = pagePath('alert-rules');

type NumberName = Exclude<keyof Rules, 'silent'>;
const LABELS: Record<NumberName | 'silent', string> = {
  certificate_days: 'Certificate, days before its end',
  disk_percent: 'Disk, percent used',
  pool_percent: 'DHCP scope, percent leased',
  clock_offset_ms: 'Clock, milliseconds off',
  failed_sign_ins: 'Failed sign-ins in 15 minutes',
  open_after_seconds: 'Opens after (seconds)',
  close_after_seconds: 'Closes after (seconds)',
  reminder_hours: 'Reminder after (hours)',
  silent: 'Conditions that open alerts',
};
const BOUNDS: Record<NumberName, [number, number]> = {
  certificate_days: [1, 90],
  disk_percent: [50, 99],
  pool_percent: [50, 100],
  clock_offset_ms: [1, 60_000],
  failed_sign_ins: [5, 10_000],
  open_after_seconds: [0, 3600],
  close_after_seconds: [30, 3600],
  reminder_hours: [0, 168],
};
const HELP: Partial<Record<NumberName, string>> = {
  disk_percent: 'Not while 20 GiB are free.',
  open_after_seconds: 'A condition that ends sooner opens no alert.',
  close_after_seconds: 'The time is doubled each time that the condition comes back within an hour.',
  reminder_hours: 'An open alert that nobody acknowledged is sent again. 0: never.',
};
const THRESHOLDS = ['certificate_days', 'disk_percent', 'pool_percent', 'clock_offset_ms', 'failed_sign_ins'] as const;
const SPANS = ['open_after_seconds', 'close_after_seconds', 'reminder_hours'] as const;

interface Data {
  saved: SavedRules;
  last: LastSave | null;
}

export const page = definePage({
  id: 'alertRulesPage',
  path: PATH,
  current: ALERTS.href,
  access: { session: 'read:alerts' },
  load: async ({ db, outcome }): Promise<Data> => ({
    saved: await readRules(db),
    last: await lastSaveOf(db, outcome, { type: 'alert_rules', id: '' }),
  }),
  title: () => 'Rules of alerts',
  view: RulesView,
});

const toldOf = ({ silent }: Rules): string[] => CONDITION_IDS.filter((id) => !silent.includes(id));

function RulesView({ data: { saved, last }, state, outcome }: ViewProps<Data>) {
  const typed = typedInto('updateAlertRulesForm', outcome);
  const may = state.user.scopes.includes('write:alerts');
  const fields: SavedField[] = [
    ...[...THRESHOLDS, ...SPANS].map((name): SavedField => [LABELS[name], name, String(saved[name])]),
    [LABELS.silent, 'told', toldOf(saved)],
  ];
  return (
    <>
      <PageHead
        title="Rules of alerts"
        trail={[ALERTS]}
        here="Rules"
        intro="Thresholds hold for the page Health as well."
      />
      <Refused typed={typed} labels={LABELS} />
      <StaleForm typed={typed} name="the rules" revision={saved.revision} last={last} saved={fields} now={state.now} />
      <Form action={PATH} csrf={state.csrf} {...editedFrom(typed, saved.revision, fields)} label="Rules">
        <Numbers legend="Thresholds" names={THRESHOLDS} saved={saved} typed={typed} />
        <Numbers legend="Times" names={SPANS} saved={saved} typed={typed} />
        <FieldGroup legend={LABELS.silent}>
          <CheckGroup
            name="told"
            label="Told"
            look="columns"
            values={typed.all('told', toldOf(saved))}
            error={typed.of('silent')}
            options={CONDITION_IDS.map((id) => ({ value: id, label: CONDITION_WORDS[id] }))}
            help="The page Health shows all conditions."
          />
        </FieldGroup>
        <FormActions note={may ? 'Takes effect at the next look, within 15 seconds.' : mayOnlyRead('alerts')}>
          {may && <Button kind="primary">Save rules</Button>}
          <ButtonLink href={ALERTS.href}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

interface NumbersProps {
  legend: string;
  names: readonly NumberName[];
  saved: SavedRules;
  typed: Typed;
}

function Numbers({ legend, names, saved, typed }: NumbersProps) {
  return (
    <FieldGroup legend={legend}>
      {names.map((name) => (
        <TextField
          key={name}
          name={name}
          label={LABELS[name]}
          type="number"
          inputmode="numeric"
          min={BOUNDS[name][0]}
          max={BOUNDS[name][1]}
          value={typed.text(name, saved[name])}
          error={typed.of(name)}
          help={[HELP[name], `By default ${RULES_DEFAULTS[name]}.`].filter(Boolean).join(' ')}
        />
      ))}
    </FieldGroup>
  );
}
