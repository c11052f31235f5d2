/** Serves the page with canned bodies for a look: `node bin/run.mjs test/web/fixture-run PORT`. */
import { startFixture } from './fixture.ts'

const { url } = await startFixture({ port: Number(process.argv[2] ?? 0) })
console.log(url)
