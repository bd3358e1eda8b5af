// Addresses of a vault entry: one spelling of each, and what is none.
import { describe, expect, test } from '@jest/globals';
import { readUri, readUris, serverOf, tlsNote } from '../../../../shared/platform/vaults/uris.ts';

describe('a URI', () => {
  test.each([
    ['https://VC01.Lab.Example/', 'https://vc01.lab.example', 'vc01.lab.example'],
    ['HTTPS://vc01.lab.example:443/ui', 'https://vc01.lab.example/ui', 'vc01.lab.example'],
    ['https://vc01.lab.example.:8443', 'https://vc01.lab.example:8443', 'vc01.lab.example:8443'],
    ['http://10.0.0.5:80/a/../b?c=d', 'http://10.0.0.5/b?c=d', '10.0.0.5'],
    ['http://10.0.0.5:443', 'http://10.0.0.5:443', '10.0.0.5:443'],
    ['https://[FD00:0:0::1]', 'https://[fd00::1]', 'fd00::1'],
    ['https://[fd00::1]:8443/', 'https://[fd00::1]:8443', '[fd00::1]:8443'],
    ['ssh://esx01.lab.example:22', 'ssh://esx01.lab.example', 'esx01.lab.example'],
    ['sftp://esx01:2222/var/log', 'sftp://esx01:2222/var/log', 'esx01:2222'],
    ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example', 'xn--bcher-kva.example'],
    // The second slash begins no other host.
    ['https://vc01.lab.example//', 'https://vc01.lab.example//', 'vc01.lab.example'],
    ['https://vc01.lab.example//evil.example/x', 'https://vc01.lab.example//evil.example/x', 'vc01.lab.example'],
    ['https://vc01.lab.example//a:99999?b', 'https://vc01.lab.example//a:99999?b', 'vc01.lab.example'],
    ['https://vc01?b', 'https://vc01?b', 'vc01'],
    ['https://vc01/a b', null, ''],
    ['https://vc01/\u0000', null, ''],
    ['https://vc01\\@evil.example', null, ''],
    ['https://root@vc01.lab.example', null, ''],
    ['https://root:secret@vc01.lab.example', null, ''],
    ['https://@vc01', null, ''],
    ['https://', null, ''],
    ['https:///path', null, ''],
    ['https:vc01', null, ''],
    ['//vc01', null, ''],
    ['vc01', null, ''],
    ['ftp://vc01', null, ''],
    ['javascript://vc01/%0aalert(1)', null, ''],
    ['https://vc01:0', null, ''],
    ['https://vc01:65536', null, ''],
    ['https://vc01:', null, ''],
    ['https://vc01:a', null, ''],
    ['https://fd00::1', null, ''],
    ['https://[fd00::1%25eth0]', null, ''],
    ['https://[::ffff:10.0.0.1]', null, ''],
    ['https://2130706433', null, ''],
    ['https://0x7f.1', null, ''],
    ['https://010.0.0.1', null, ''],
    ['https://10.1', null, ''],
    ['https://bücher.example', null, ''],
    ['https://%76c01', null, ''],
    ['https://vc_01.example', null, ''],
    ['https://vc01/#part', null, ''],
    [`https://vc01/${'a'.repeat(2048)}`, null, ''],
    [`https://vc01/${'é'.repeat(400)}`, null, ''],
  ])('%s is kept as %s', (text, uri, server) => {
    const read = readUri(text);
    if (uri === null) {
      expect(read).toEqual({ fault: expect.stringMatching(/\.$/) });
    } else {
      expect(read).toEqual({ uri });
      expect([readUri(uri), serverOf(uri)]).toEqual([{ uri }, server]);
    }
  });

  test.each([
    ['http://h', 'dialled with TLS on 443'],
    ['http://h:443/ui', 'dialled with TLS on 443'],
    ['http://h:8080/ui', 'dialled with TLS on 8080'],
    ['http://[fd00::1]', 'dialled with TLS on 443'],
    ['http://[fd00::1]:8080', 'dialled with TLS on 8080'],
    ['https://h:8443', ''],
    ['ssh://h', ''],
  ])('%s is for a login: %s', (uri, note) => expect(tlsNote(uri)).toBe(note));

  test('stands in an entry once, whatever its spelling', () => {
    expect(readUris(['https://a', 'ssh://a', 'https://A:443/', 'nothing'])).toEqual({
      errors: [
        { pointer: '/uris/2', detail: 'This URI is in the list twice.' },
        { pointer: '/uris/3', detail: expect.stringContaining('https://') },
      ],
    });
  });
});
