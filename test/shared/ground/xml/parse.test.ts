// The strict reader of XML: what it takes, what it refuses, and that parts of a text come back as they stood.
import { describe, expect, test } from '@jest/globals';
import { childOf, childrenOf, namespacesOf, textOf, typeOf } from '../../../../shared/ground/xml/element.ts';
import { parseXml as parseXmlBy, parseXmlInParts } from '../../../../shared/ground/xml/parse.ts';
import { XmlFault } from '../../../../shared/ground/xml/rules.ts';
import { escapeXml } from '../../../../shared/ground/xml/text.ts';
import { ANSWER_RULES, textXml } from '../../../../shared/vcf/vsphere/soap.ts';
import { growth, NEARLY_LINEAR, NEARLY_LINEAR_16 } from '../../../setup/growth.ts';

const parseXml = (text: string) => parseXmlBy(text, ANSWER_RULES);

test('reads elements, attributes, entities, CDATA and comments', () => {
  const root = parseXml(
    '\u{feff}<?xml version="1.0"?>\n<a x:b="1 &amp; 2" c=\'&#x41;\'><!-- <no> --><d>one<![CDATA[<&two>]]> &lt;three&#233;</d><d/><e:f/></a>\n',
  );
  expect(root.attributes.get('x:b')).toBe('1 & 2');
  expect(root.attributes.get('c')).toBe('A');
  expect(childrenOf(root, 'd').map(({ text }) => text)).toEqual(['one<&two> <threeé', '']);
  expect(childOf(root, 'f')?.name).toBe('e:f');
  expect(textOf(root, 'g')).toBeNull();
});

test('the source of an element is what stands between its tags, to the character', () => {
  const inside = ' <x  a = "1"/>\r\n<y>&#233;&amp;<![CDATA[</z>]]></y><!-- kept --> ';
  const root = parseXml(`<r><z k="v">${inside}</z><z/></r>`);
  expect(childrenOf(root, 'z').map((each) => each.source())).toEqual([inside, '']);
});

test('namespaces and types are those of the element and of what is around it', () => {
  const root = parseXml(
    '<a xmlns="urn:one" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><b xmlns="urn:two" xmlns:v="urn:v" i:type="v:Thing" type="Other"/></a>',
  );
  const b = childOf(root, 'b')!;
  expect(typeOf(b)).toBe('Thing');
  expect([...namespacesOf(b)].sort()).toEqual([
    ['', 'urn:two'],
    ['i', 'http://www.w3.org/2001/XMLSchema-instance'],
    ['v', 'urn:v'],
  ]);
  expect(typeOf(root)).toBeNull();
});

describe('refuses', () => {
  test.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['an unknown entity', '<a>&nbsp;</a>'],
    ['an inherited name as an entity', '<a>&toString;</a>'],
    ['an ampersand of its own', '<a>1 & 2</a>'],
    ['an instruction', '<a><?php x ?></a>'],
    ['tags that do not match', '<a><b></a></b>'],
    ['a tag that is not closed', '<a><b>'],
    ['a second root', '<a/><b/>'],
    ['text outside', '<a/>text'],
    ['nothing', ''],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['a tag in an attribute', '<a b="<c>"/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['an attribute on a closing tag', '<a></a b="1">'],
    ['a code point beyond all', '<a>&#x110000;</a>'],
    ['a CDATA section without end', '<a><![CDATA[x</a>'],
    ['a comment without end', '<a><!-- </a>'],
    ['no XML', 'HTTP/1.1 200 OK'],
    ['a depth beyond the bounds', '<a>'.repeat(101) + '</a>'.repeat(101)],
  ])('%s', (_name, text) => {
    expect(() => parseXml(text)).toThrow(XmlFault);
  });

  test.each<[what: string, small: number, text: (count: number) => string]>([
    ['attributes', 40_000, (count) => `<a ${'b="" '.repeat(count / 4)}`],
    ['entities', 10_000, (count) => `<a>${'&amp'.repeat(count / 2)}</a>`],
    ['blanks', 10_000, (count) => `<a${' '.repeat(count)}`],
    ['brackets', 10_000, (count) => '<'.repeat(count / 2)],
  ])('%s without end at a cost that grows with the length alone', async (_what, small, text) => {
    const refuse = (count: number) => expect(() => parseXml(text(count))).toThrow(XmlFault);
    expect(await growth(refuse, small)).toBeLessThan(NEARLY_LINEAR);
  });
});

test('ampersands cost as much as what is before the first of them, references no more than they are long', async () => {
  // Two million of them: as a list they were hundreds of megabytes.
  const bare = (count: number) => expect(() => parseXml(`<a>${'&'.repeat(count)}</a>`)).toThrow(XmlFault);
  expect(await growth(bare, 125_000, 16)).toBeLessThan(NEARLY_LINEAR);
  const references = (count: number) => expect(parseXml(`<a>${'&amp;'.repeat(count)}</a>`).text).toHaveLength(count);
  expect(await growth(references, 6_000, 16)).toBeLessThan(NEARLY_LINEAR_16);
}, 300_000);

test('a document has a hundred thousand references at most, wherever they stand', () => {
  const spread = (count: number) => `<a>${'<b c="&lt;">&#65;</b>'.repeat(count / 2)}</a>`;
  expect(parseXml(spread(100_000)).children).toHaveLength(50_000);
  expect(() => parseXml(spread(100_002))).toThrow(/references beyond the bounds/);
});

test('what is written is read back, whatever it is', () => {
  const texts = ['<&>"\'', 'a\r\nb\tc\n', ' blanks ', ']]>', 'é 😀 \u{feff}', '%2f', ''];
  for (const text of texts) {
    const root = parseXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`);
    expect([root.text, root.attributes.get('b')]).toEqual([text, text]);
  }
  for (const text of ['\u{0}', '\u{1b}', '\u{ffff}', '\u{d800}'])
    for (const write of [escapeXml, (each: string) => textXml('a', each)])
      expect(() => write(text)).toThrow(/control characters/);
});

test('a large inventory is read at a cost that grows with its length alone', async () => {
  const one =
    '<objects><obj type="VirtualMachine">vm-1</obj><propSet><name>name</name><val xsi:type="xsd:string">one</val></propSet></objects>';
  const read = (count: number) => expect(parseXml(`<a>${one.repeat(count)}</a>`).children).toHaveLength(count);
  expect(await growth(read, 3000, 16)).toBeLessThan(NEARLY_LINEAR_16);
}, 300_000);

test('while a large answer is read, others get their turn', async () => {
  let turns = 0;
  let reading = true;
  const turn = () => {
    turns++;
    if (reading) setImmediate(turn);
  };
  setImmediate(turn);
  const root = await parseXmlInParts(`<a>${'<b>c</b><!-- d -->'.repeat(100_000)}</a>`, ANSWER_RULES);
  reading = false;
  expect([root.children.length, root.children[99_999]!.text]).toEqual([100_000, 'c']);
  // The first one comes with the first pause, of which there is none where all is read in one go.
  expect(turns).toBeGreaterThan(0);
});

test.each([
  ['elements', '<b/>'.repeat(500_000)],
  ['attributes', `<b ${Array.from({ length: 40_000 }, (_none, n) => `a${n}=""`).join(' ')}/>`],
  ['characters of a value', `<b c="${'>'.repeat(300_000)}"/>`],
  ['characters of a name', `<${'b'.repeat(300_000)}/>`],
  ['characters of a text', 'b'.repeat(5_000_000)],
])('more %s than any answer has are refused before they cost much', (_what, inside) => {
  expect(() => parseXml(`<a>${inside}</a>`)).toThrow(XmlFault);
});

test('a damaged answer is refused or read, and nothing else', () => {
  const whole =
    '<?xml version="1.0"?><S:Envelope xmlns:S="urn:s"><S:Body><a b="1&amp;2">text<![CDATA[x]]><!-- c --><d/></a></S:Body></S:Envelope>';
  const signs = '<>&"\'/![]-=; aé\u{0}'.split('');
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let turn = 0; turn < 20_000; turn++) {
    let text = whole;
    for (let change = random(3); change >= 0; change--) {
      const at = random(text.length);
      text = text.slice(0, at) + (random(2) ? signs[random(signs.length)] : '') + text.slice(at + random(4));
    }
    try {
      expect(typeof parseXml(text).name).toBe('string');
    } catch (error) {
      if (!(error instanceof XmlFault)) throw new Error(`${text}: ${error}`);
    }
  }
});
