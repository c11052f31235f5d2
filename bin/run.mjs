/** Runs a program of this tree by its path: `node bin/run.mjs bench/load --players 100`. */
import { launch } from './launch.mjs'

const [path, ...args] = process.argv.slice(2)
await launch(path, args)
