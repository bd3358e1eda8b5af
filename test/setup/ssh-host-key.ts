// A host key for a server of ssh2.
import ssh2 from 'ssh2';

/** One key in five hundred that the package makes is none that it reads again: such a one is thrown away. */
export function newHostKey(): { private: string; public: string } {
  for (;;) {
    const made = ssh2.utils.generateKeyPairSync('ed25519');
    if (!(ssh2.utils.parseKey(made.private) instanceof Error)) return made;
  }
}
