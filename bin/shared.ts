/**
 * What several parts of the program need. The build lets each part import it, and so puts it into one file: else there
 * would be a file for each set of parts that share something, and each costs a start a millisecond. Nothing here
 * loads a package, or runs by being loaded.
 */
import '../package.json';
import '../src/auth/attempts.ts';
import '../src/book.ts';
import '../src/cli/cluster/messages.ts';
import '../src/cli/database.ts';
import '../src/cli/io.ts';
import '../src/cli/misuse.ts';
import '../src/cli/service.ts';
import '../src/envelope.ts';
import '../src/errors.ts';
import '../src/latest.ts';
import '../src/new-file.ts';
import '../src/origin.ts';
import '../src/query/fold.ts';
import '../src/query/position.ts';
import '../src/query/query.ts';
import '../src/server/log.ts';
import '../src/server/metrics.ts';
import '../src/store/calls.ts';
import '../src/lib/timeout.ts';
import '../src/store/drivers.ts';
import '../src/store/file-url.ts';
import '../src/lib/batcher.ts';
import '../src/store/ids.ts';
import '../src/store/page.ts';
