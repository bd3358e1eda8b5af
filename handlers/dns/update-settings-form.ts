// The form of the name service's settings.
import { defineForm } from '../../shared/operation/define-operation.ts';
import { operation as updateSettings } from './update-settings.ts';

export const operation = defineForm(
  { of: updateSettings, path: '/ui/management/dns/settings', access: { session: 'write:dns' } },
  {
    page: '/ui/management/dns/settings',
    decode: (fields) => ({
      enabled: fields.checked('enabled'),
      listen_interfaces: fields.all('listen_interfaces'),
      upstream_servers: fields.list('upstream_servers'),
      ttl_seconds: fields.integer('ttl_seconds'),
      cache_size: fields.integer('cache_size'),
      domain: fields.text('domain'),
      log_queries: fields.checked('log_queries'),
    }),
    done: () => ({
      location: '/ui/management/dns',
      flash: 'The settings are saved. The host follows at the next apply.',
    }),
  },
);
