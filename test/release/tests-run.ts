/** Runs test files by a part of their path, as a row of the release check: `tests-run.js NAME`. */
import { startVitest } from 'vitest/node'

const [name] = process.argv.slice(2)
if (!name) throw new Error('Which tests? Give part of a path, such as fuzz/cases.')
const vitest = await startVitest('test', [`dist/test/${name}`], { watch: false, retry: 0 })
const files = vitest.state.getFiles()
const failed = files.filter(({ result }) => result?.state !== 'pass')
await vitest.close()
console.log(`${files.length - failed.length} files of tests passed, ${failed.length} failed`)
process.exit(failed.length > 0 || files.length === 0 ? 1 : 0)
