// Paths of the directory's files on the appliance, and its daemon.
import type { DaemonSpec, Host } from '../../ground/machine/host.ts';
import { sha256 } from '../../platform/applied/baseline.ts';

export const FOLDER = '/etc/groundcrew/ldap';
/** The whole of cn=config as LDIF, from which the daemon's own configuration is made anew at each start. */
export const CONFIG_FILE = `${FOLDER}/slapd.ldif`;
/** The URLs that it listens at, in one line. */
export const LISTEN_FILE = `${FOLDER}/listen`;
/** Its key is keyPath(KEY_NAME): shared/platform/host/key-files.ts. */
export const CERTIFICATE_FILE = `${FOLDER}/certificate.pem`;
export const KEY_NAME = 'ldap';
/** What the trees hold, without any password: only the service reads it. */
export const ENTRIES_FILE = '/etc/groundcrew/ldap-entries/entries.json';
export const RUN_FOLDER = '/run/groundcrew/ldap';
/** Whoever reaches the socket manages the entries: only slapd's user and the service's group may enter its folder. */
export const SOCKET = `${RUN_FOLDER}/ldapi`;
export const PID_FILE = `${RUN_FOLDER}/slapd.pid`;
/** A folder for each organisation. */
export const DATA_FOLDER = '/var/lib/groundcrew/ldap';
export const MODULE_FOLDER = '/usr/lib/ldap';
export const SCHEMA_FOLDER = '/etc/ldap/schema';

/** Of the indices: slapd finds nothing by one that a folder was not filled with. */
const FORM = '2';

/**
 * By its short name and its suffix: another organisation may get the short name later, and must not find the tree of the
 * former one there. Nor must a release that indexes otherwise.
 */
export const dataFolder = ({ slug, suffix }: { slug: string; suffix: string }): string =>
  `${DATA_FOLDER}/${slug}.${sha256(`${FORM} ${suffix}`).slice(0, 12)}`;
export const socketUrl = (host: Pick<Host, 'resolve'>): string => `ldapi://${encodeURIComponent(host.resolve(SOCKET))}`;

/**
 * Makes the folders of the organisations, and the configuration from the file in a fresh folder; where slapd can read it,
 * forgets the folders of others, swaps it in, and starts slapd, which goes to the background. A tree that is filled for the
 * first time is not written through to the disk (follow/filling.ts): one that does not tell that it was finished is begun anew. Arguments: the folders of
 * files, of the run, of data. build/appliance/slapd-start is the same.
 */
export const START = `set -eu
files=$1 run=$2 data=$3
umask 077
rm -rf "$run/config.new"
mkdir -p "$run/config.new" "$data"
wanted=$(sed -n 's/^olcDbDirectory: //p' "$files/slapd.ldif")
fresh() { rm -rf "$1"; mkdir "$1"; : > "$1/unfinished"; }
for folder in $wanted; do [ -d "$folder" ] || fresh "$folder"; done
slapadd -n 0 -F "$run/config.new" -l "$files/slapd.ldif"
at=0
for folder in $wanted; do
  at=$((at + 1))
  [ -e "$folder/unfinished" ] || continue
  if slapcat -n "$at" -F "$run/config.new" -a '(cn=applied)' 2>/dev/null | grep -q '^description:'
  then rm "$folder/unfinished"
  else fresh "$folder"
  fi
done
for folder in "$data"/*; do
  case "
$wanted
" in *"
$folder
"*) ;; *) rm -rf "$folder" ;; esac
done
rm -rf "$run/config"
mv "$run/config.new" "$run/config"
exec slapd -F "$run/config" -h "$(cat "$files/listen")"
`;

/** The one daemon of the unit. It goes to the background by itself once its sockets are bound. */
export function slapdDaemon(host: Pick<Host, 'resolve'>): DaemonSpec {
  const folders = [FOLDER, RUN_FOLDER, DATA_FOLDER].map((path) => host.resolve(path));
  return {
    name: 'slapd',
    program: 'slapd',
    args: [],
    systemd: 'groundcrew-slapd.service',
    pidFile: PID_FILE,
    launcher: { program: 'sh', args: ['-c', START, 'slapd-start', ...folders] },
  };
}

/** What slapd speaks, as GnuTLS has it: TLS 1.2 and 1.3. */
export const TLS_PRIORITIES = 'NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2';
