// Depot users, the software depot ID, and the pages of the offline depot.
import type { Given, Scenarios, Scene } from './scenario.ts';

const BASE = '/api/v1/private-cloud-services';
const PASSWORD = 'a password of the depot';

const named = async ({ next }: Scene): Promise<Given> => ({ name: `depot-${next()}` });

async function user(scene: Scene): Promise<Given> {
  const { body } = await scene.api('POST', `${BASE}/http-users`, { ...(await named(scene)), password: PASSWORD });
  return { http_user_id: body.id, revision: String(body.revision) };
}

const revision = ({ revision }: Given) => ({ revision: revision! });
const GENERATED = ['depot.software_depot_id.generate'];

export const DEPOT: Scenarios = {
  createDepotUser: {
    given: named,
    audit: ['depot.http_user.create'],
  },
  createDepotUserForm: {
    given: named,
    send: ({ name }) => ({ form: { name: name!, password: PASSWORD } }),
    audit: ['depot.http_user.create'],
  },
  getDepotUser: { given: user },
  updateDepotUser: {
    given: user,
    audit: ['depot.http_user.update'],
  },
  updateDepotUserForm: {
    given: user,
    send: (given) => ({ form: { ...revision(given), password: 'another password of it' } }),
    audit: ['depot.http_user.update'],
  },
  deleteDepotUser: { given: user, audit: ['depot.http_user.delete'] },
  deleteDepotUserForm: {
    given: user,
    send: (given) => ({ form: revision(given) }),
    audit: ['depot.http_user.delete'],
  },
  depotUserPage: { given: user },
  deleteDepotUserPage: { given: user },

  generateSoftwareDepotId: { audit: GENERATED },
  generateSoftwareDepotIdForm: { send: () => ({ form: { confirm: 'on' } }), audit: GENERATED },
};
