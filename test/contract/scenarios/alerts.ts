// Alerts, their rules and receivers, over the API and on their pages; servers of receivers are fakes that speak TLS.
import { makeCertificate, startTlsTarget, type TlsTarget } from '../../fakes/tls-target.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const RECEIVERS = '/api/v1/alert-receivers';
const certificate = makeCertificate();
const running = new Map<string, TlsTarget>();

async function alert({ house, next }: Scene): Promise<Given> {
  const alert_id = `alert_of_${next()}`;
  const at = house.services.clock.now().toISOString();
  await house.services.store.write((tx) =>
    tx.run(
      `INSERT INTO alert (id, condition, subject, severity, says, state, since, opened_at)
       VALUES (?, 'unit_failing', ?, 'critical', 'NTP does not answer as applied.', 'open', ?, ?)`,
      [alert_id, alert_id, at, at],
    ),
  );
  return { alert_id };
}

async function receiver({ api, next }: Scene, url = 'https://hooks.lab.example/gc'): Promise<Given> {
  const name = `hook ${next()}`;
  const { body } = await api('POST', RECEIVERS, { name, kind: 'webhook', url });
  return { receiver_id: body.id, revision: String(body.revision), url, name };
}

/** At a server on loopback that runs until `settled`. */
async function reachable(scene: Scene): Promise<Given> {
  await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
  const server = await startTlsTarget({ certificate });
  const url = `https://127.0.0.1:${server.port}/gc`;
  running.set(url, server);
  return { ...(await receiver(scene, url)), sha256: certificate.sha256 };
}

async function ready(scene: Scene): Promise<Given> {
  const given = await reachable(scene);
  const at = `${RECEIVERS}/${given.receiver_id}`;
  await scene.api('POST', `${at}/confirm-certificate`, { sha256: certificate.sha256 });
  await scene.api('POST', `${at}/make-secret`);
  return given;
}

/** No more receivers than there may be, and no exception for loopback. */
async function settled({ house, api }: Scene, { url }: Given): Promise<void> {
  await running.get(url!)?.stop();
  running.delete(url!);
  await house.services.store.write((tx) => tx.run('DELETE FROM alert_receiver'));
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: [] });
}

const RULES = {
  ...{ certificate_days: '21', disk_percent: '90', pool_percent: '90', clock_offset_ms: '1000', failed_sign_ins: '50' },
  ...{ open_after_seconds: '60', close_after_seconds: '120', reminder_hours: '0', told: 'unit_failing' },
};

const fields = ({ name, url, revision = '0' }: Given) => ({
  form: { name: name!, kind: 'webhook', severity: 'critical', url: url!, revision },
});

export const ALERT_SCENARIOS: Scenarios = {
  listAlerts: { given: alert },
  getAlert: { given: alert },
  acknowledgeAlert: { given: alert, audit: ['alert.acknowledge'] },
  acknowledgeAlertForm: { given: alert, audit: ['alert.acknowledge'] },
  getAlertRules: {},
  updateAlertRules: { audit: ['alert.rules.update'] },
  updateAlertRulesForm: { send: () => ({ form: RULES }), audit: ['alert.rules.update'] },

  listAlertReceivers: { given: receiver, after: settled },
  getAlertReceiver: { given: receiver, after: settled },
  listAlertReceiverMessages: { given: receiver, after: settled },
  createAlertReceiver: { audit: ['alert.receiver.create'], after: settled },
  updateAlertReceiver: { given: receiver, audit: ['alert.receiver.update'], after: settled, statements: 9 },
  deleteAlertReceiver: { given: receiver, audit: ['alert.receiver.delete'], after: settled },
  makeAlertReceiverSecret: { given: receiver, audit: ['alert.receiver.secret'], after: settled, statements: 10 },
  testAlertReceiver: { given: ready, audit: ['alert.receiver.test'], after: settled, statements: 18 },
  lookAtAlertReceiverCertificate: { given: reachable, audit: ['remote.target.probe'], after: settled, statements: 18 },
  confirmAlertReceiverCertificate: {
    given: reachable,
    audit: ['alert.receiver.trust'],
    after: settled,
    statements: 18,
  },

  createAlertReceiverForm: {
    given: async ({ next }) => ({ name: `form ${next()}`, url: 'https://hooks.lab.example/gc' }),
    send: fields,
    audit: ['alert.receiver.create'],
    after: settled,
  },
  updateAlertReceiverForm: {
    given: receiver,
    send: fields,
    audit: ['alert.receiver.update'],
    after: settled,
    statements: 9,
  },
  deleteAlertReceiverForm: { given: receiver, audit: ['alert.receiver.delete'], after: settled },
  makeAlertReceiverSecretForm: {
    given: receiver,
    status: 200,
    audit: ['alert.receiver.secret'],
    after: settled,
    statements: 18,
  },
  testAlertReceiverForm: { given: ready, audit: ['alert.receiver.test'], after: settled, statements: 18 },
  lookAtAlertReceiverCertificateForm: {
    given: reachable,
    status: 200,
    audit: ['remote.target.probe'],
    after: settled,
    statements: 22,
  },
  confirmAlertReceiverCertificateForm: {
    given: reachable,
    send: ({ sha256 }) => ({ form: { sha256: sha256! } }),
    audit: ['alert.receiver.trust'],
    after: settled,
    statements: 18,
  },

  alertsPage: { given: alert },
  alertRulesPage: {},
  alertReceiversPage: { given: receiver, after: settled },
  newAlertReceiverPage: {},
  alertReceiverPage: { given: receiver, after: settled },
  editAlertReceiverPage: { given: receiver, after: settled },
  deleteAlertReceiverPage: { given: receiver, after: settled },
};
