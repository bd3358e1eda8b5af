// All subjects of the help, in the order of its contents.
import type { Subject } from './subject.tsx';
import { access } from './subjects/access.tsx';
import { api } from './subjects/api.tsx';
import { apply } from './subjects/apply.tsx';
import { deployment } from './subjects/deployment.tsx';
import { files } from './subjects/files.tsx';
import { glossary } from './subjects/glossary.tsx';
import { install } from './subjects/install.tsx';
import { listeners } from './subjects/listeners.tsx';
import { network } from './subjects/network.tsx';
import { networkBoot } from './subjects/network-boot.tsx';
import { offlineDepot } from './subjects/offline-depot.tsx';
import { operations } from './subjects/operations.tsx';
import { services } from './subjects/services.tsx';
import { settings } from './subjects/settings.tsx';
import { start } from './subjects/start.tsx';
import { trust } from './subjects/trust.tsx';
import { vaults } from './subjects/vaults.tsx';

export const SUBJECTS: readonly Subject[] = [
  ...[start, apply, network, services, trust],
  ...[deployment, offlineDepot, networkBoot, vaults],
  ...[operations, files, access, api],
  ...[install, settings, listeners, glossary],
];
