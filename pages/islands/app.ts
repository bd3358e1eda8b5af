// The script of every page. Each part makes something nicer that works without it.
import { offerCopies } from './copy.ts';
import { runCountdowns } from './countdown.ts';
import { offerDialog } from './dialog.ts';
import { focusRefusal } from './errors.ts';
import { followLive } from './live.ts';
import { offerPalette } from './palette.ts';
import { offerPreview } from './preview.ts';
import { keepTimesFresh } from './times.ts';

offerCopies();
keepTimesFresh();
runCountdowns();
focusRefusal();
offerPalette();
followLive();
offerPreview();
offerDialog();
