// The strong entity tag of a single resource, and 304 for a reader who has it already.
import { entityTag } from '../../../ground/store/revision.ts';
import type { Middleware } from '../request.ts';

export const etag: Middleware = {
  after(request) {
    const { event, context, response } = request;
    const { revision, spec } = context.state;
    if (revision === null || !response) return undefined;
    const tag = entityTag(revision);
    response.headers.etag = tag;
    const known = event.headers['if-none-match'];
    const live = spec.answers[response.statusCode]?.live === true;
    if (spec.effect === 'read' && !live && known?.split(',').some((sent) => sent.trim() === tag)) {
      request.response = { statusCode: 304, headers: { etag: tag, 'cache-control': 'no-cache' }, body: '' };
    }
    return undefined;
  },
};
