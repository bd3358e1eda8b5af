// The script of every page. Each part makes something nicer that works without it.
import { offerChooseAll } from './choose-all.ts';
import { offerCopies } from './copy.ts';
import { runCountdowns } from './countdown.ts';
import { offerDialog } from './dialog.ts';
import { focusRefusal } from './errors.ts';
import { followLive } from './live.ts';
import { offerPalette } from './palette.ts';
import { offerPreview } from './preview.ts';
import { offerReveal } from './reveal.ts';
import { offerSecretTools } from './secret-field.ts';
import { keepTimesFresh } from './times.ts';
import { offerUpload } from './upload.ts';
import { offerWizard } from './wizard.ts';

offerCopies();
offerChooseAll();
keepTimesFresh();
runCountdowns();
focusRefusal();
offerPalette();
followLive();
offerPreview();
offerDialog();
offerWizard();
offerReveal();
offerSecretTools();
offerUpload();
