// Alerts: what needs somebody now, and what did.
import * as v from 'valibot';
import { itemPath, pagePath } from '../../shared/ground/page-paths.ts';
import { ALERT_STATES, type Alert, type AlertState as StateName } from '../../shared/vcf/alerts/alert.ts';
import { ALERT_SORTS, alertFilter, listAlerts } from '../../shared/vcf/alerts/alert-store.ts';
import { stateOf } from '../../shared/vcf/alerts/schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form } from '../components/form.tsx';
import type { Column } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
import { ALERTS, AlertState, CONDITION_WORDS, RECEIVERS } from './alert-words.tsx';

const PATH = ALERTS.href;
const ALERTS_OF_A_PAGE = 50;
const STATE_WORDS: Record<StateName, string> = { open: 'Open', acknowledged: 'Acknowledged', closed: 'Closed' };

interface Data extends ListedRows<Alert> {
  chosen: StateName | '';
}

export const page = definePage({
  id: 'alertsPage',
  path: PATH,
  access: { session: 'read:alerts' },
  query: v.object(ROW_QUERY),
  async load({ db, query }): Promise<Data> {
    const filter = alertFilter(query);
    const found = await listAlerts(db, { ...filter, cursor: query.cursor, limit: ALERTS_OF_A_PAGE });
    return { items: found.items, next: found.next_cursor, at: placeText(query), chosen: filter.state ?? '' };
  },
  title: () => 'Alerts',
  view: AlertsView,
});

function AlertsView({ data, state, outcome }: ViewProps<Data>) {
  const may = state.user.scopes.includes('write:alerts');
  return (
    <ListPage
      head={{
        title: 'Alerts',
        intro: 'Each alert closes when its condition ends.',
      }}
      more={
        <>
          <ButtonLink href={RECEIVERS.href}>Receivers</ButtonLink>
          <ButtonLink href={pagePath('alert-rules')}>Rules</ButtonLink>
        </>
      }
      notice={<Refused typed={typedInto('acknowledgeAlertForm', outcome)} labels={{}} />}
      of="alert"
      listed={data}
      outcome={null}
      csrf={state.csrf}
      href={PATH}
      csv={{ path: `${PATH}.csv`, by: ['search', 'sort', 'state'] }}
      searchLabel="What it says, or who acknowledged it"
      sorts={ALERT_SORTS}
      own={{ key: 'opened_at', descending: true }}
      segments={{
        name: 'state',
        label: 'State',
        value: data.chosen,
        options: [{ value: '', label: 'All' }, ...ALERT_STATES.map((value) => ({ value, label: STATE_WORDS[value] }))],
      }}
      caption="Alerts, those that were opened last first unless sorted"
      columns={columns(state.now)}
      {...(may && { actions: (alert: Alert) => <Acknowledge alert={alert} csrf={state.csrf} /> })}
      empty="There was no alert yet."
    />
  );
}

function Acknowledge({ alert, csrf }: { alert: Alert; csrf: string }) {
  if (stateOf(alert) !== 'open') return null;
  const { id, condition, subject } = alert;
  const what = `${CONDITION_WORDS[condition]}: ${subject}`;
  return (
    <Form action={`${itemPath('alert', id)}/acknowledge`} csrf={csrf} look="stack" label={`Acknowledge ${what}`}>
      <Button>
        Acknowledge<span class="vh"> {what}</span>
      </Button>
    </Form>
  );
}

function columns(now: string): [Column<Alert>, ...Column<Alert>[]] {
  return [
    { key: 'condition', label: 'Condition', cell: ({ condition }) => CONDITION_WORDS[condition] ?? condition },
    { key: 'state', label: 'State', look: 'nowrap', cell: (alert) => <AlertState alert={alert} /> },
    { key: 'says', label: 'What it says', cell: ({ says }) => says },
    {
      key: 'opened_at',
      label: 'Opened',
      look: 'nowrap',
      cell: ({ opened_at }) => <Instant at={opened_at!} now={now} />,
    },
    {
      key: 'by',
      label: 'Acknowledged',
      cell: ({ acknowledged_by, acknowledged_at }) =>
        acknowledged_by === null ? (
          <span class="muted">no</span>
        ) : (
          <>
            {acknowledged_by} <Instant at={acknowledged_at!} now={now} />
          </>
        ),
    },
    {
      key: 'closed_at',
      label: 'Closed',
      look: 'nowrap',
      cell: ({ closed_at }) =>
        closed_at === null ? <span class="muted">no</span> : <Instant at={closed_at} now={now} />,
    },
  ];
}
