// `npm run floors`: draws the floors of the house (.github/floors.svg) from the list that the lint rules hold imports
// against. `--check` compares the picture that is checked in and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLOORS, type Floor } from './floors.ts';
import { ROOT } from './source-tree.ts';

const TARGET = '.github/floors.svg';

const SAYS: Readonly<Record<Floor, string>> = {
  ground: 'knows nothing of an appliance',
  kernel: 'how any operation runs',
  platform: 'what every service stands on',
  services: 'one folder a service, whole; never one another',
  vcf: 'what is done to other people’s machines',
  appliance: 'what must know them all; nothing below knows it',
};

interface Storey {
  name: string;
  says: string;
  rooms: readonly string[];
}

/** From above: the top folders that rest on shared/, then its floors. */
const STOREYS: readonly Storey[] = [
  { name: 'shell', says: 'listeners, router, clock, command line, root step', rooms: ['runtime'] },
  { name: 'in and out', says: 'one operation a file, one page a file', rooms: ['handlers', 'pages'] },
  ...(Object.keys(FLOORS) as Floor[]).map((name) => ({ name, says: SAYS[name], rooms: FLOORS[name] })).reverse(),
];

const [WIDTH, LABELS, EDGE, GAP] = [920, 168, 16, 8];
const [ROOM_HEIGHT, LINE, LETTER] = [28, 24, 7.9];

interface Drawn {
  svg: string;
  height: number;
}

/** One storey with its rooms in as many rows as they take, its upper edge at `top`. */
function drawStorey({ name, says, rooms }: Storey, top: number): Drawn {
  const boxes: string[] = [];
  let [x, y] = [LABELS, top + LINE + GAP];
  for (const room of rooms) {
    const width = Math.round(room.length * LETTER) + 2 * GAP;
    if (x + width > WIDTH - EDGE) [x, y] = [LABELS, y + ROOM_HEIGHT + GAP];
    boxes.push(
      `<rect class="room" x="${x}" y="${y}" width="${width}" height="${ROOM_HEIGHT}" rx="3"/>`,
      `<text class="name" x="${x + GAP}" y="${y + 18}" textLength="${width - 2 * GAP}">${room}</text>`,
    );
    x += width + GAP;
  }
  const height = y + ROOM_HEIGHT + EDGE - top;
  const frame = [
    `<path class="floor" d="M0 ${top + height}H${WIDTH}"/>`,
    `<text class="title" x="${EDGE}" y="${top + LINE}">${name}</text>`,
    `<text class="says" x="${LABELS}" y="${top + LINE - 2}">${says}</text>`,
  ];
  return { svg: [...frame, ...boxes].join('\n'), height };
}

const STYLE = `:root{color-scheme:light dark;--paper:#fff;--ink:#1b1c19;--muted:#595b54;--line:#85867d;--room:#eceffb}
@media(prefers-color-scheme:dark){:root{--paper:#191a18;--ink:#ebeae4;--muted:#a6a79e;--line:#797b71;--room:#23273d}}
.paper{fill:var(--paper)}.floor{stroke:var(--line);stroke-width:2}.room{fill:var(--room);stroke:var(--line)}
text{font:14px system-ui,sans-serif;fill:var(--ink)}.title{font-weight:600;font-size:16px}.says{fill:var(--muted)}
.name{font:13px ui-monospace,Menlo,Consolas,monospace}`;

function floorsPicture(): string {
  const parts: string[] = [];
  let top = 0;
  for (const storey of STOREYS) {
    const { svg, height } = drawStorey(storey, top);
    parts.push(svg);
    top += height;
  }
  const foot = 'Floors of shared/: a file imports from rooms before its own and from floors below.';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top + 48}" role="img" aria-label="The floors of Groundcrew">
<!-- Written by build/floors-picture.ts from build/floors.ts, and compared. -->
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${top + 48}"/>
${parts.join('\n')}
<text class="says" x="${EDGE}" y="${top + 30}">${foot}</text>
</svg>
`;
}

function main(check: boolean): number {
  const drawn = floorsPicture();
  if (!check) {
    writeFileSync(join(ROOT, TARGET), drawn);
    console.log(`wrote ${TARGET}`);
    return 0;
  }
  if (readFileSync(join(ROOT, TARGET), 'utf8') === drawn) return 0;
  console.log(`${TARGET}:1 differs from build/floors.ts: npm run floors`);
  return 1;
}

if (import.meta.main) process.exitCode = main(process.argv.includes('--check'));
