/**
 * The interactive pages of HTTP v1 and v2: every operation with a form that sends it to this
 * server. One self-contained page each; nothing is loaded from elsewhere, and the operations stand
 * in the page itself, because the OpenAPI files may be fetched only once a minute.
 */
import type { Registry } from '../../core/registry.ts'
import {
  type CommandView,
  errorsOf,
  type ParameterView,
  typeName,
  v1Commands,
  v2Commands,
} from '../command-view.ts'
import { anchorOf } from '../docs/page.ts'
import { namesOf } from '../names.ts'
import type { ApiInfo } from './openapi.ts'
import { inlinePageHeaders } from './page-headers.ts'

interface PageParam {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string
  readonly example: unknown
  /** The values it may have, where they are named. */
  readonly values: readonly string[]
}

interface PageOperation {
  readonly path: string
  readonly group: string
  readonly summary: string
  readonly mutation: boolean
  readonly open: boolean
  readonly errors: readonly string[]
  readonly params: readonly PageParam[]
  /** Where the documentation explains it. */
  readonly about: string
}

/** The page of a version as HTML. */
export function explorerPage(registry: Registry, info: ApiInfo, version: 1 | 2): string {
  const base = `/api/v${version}`
  const operations =
    version === 1
      ? v1Commands(registry).map((view) => operationOf(view, base, view.def.category))
      : v2Commands(registry).map((view) => operationOf(view, base, view.tool))
  const spoken = namesOf(registry).value(version, operations)
  const data = JSON.stringify({ base, version, operations: spoken }).replaceAll('<', '\\u003c')
  return PAGE.replace('__TITLE__', `HTTP API v${version}`)
    .replace('__TITLE__', `HTTP API v${version}`)
    .replace('__OTHER__', version === 1 ? '/api/v2/docs' : '/api/docs')
    .replace('__OTHER__', version === 1 ? 'v2' : 'v1')
    .replace('__OPENAPI__', version === 1 ? '/api/openapi.json' : '/api/v2/openapi.json')
    .replace('__VERSION__', info.version.replace(/[<>&]/g, ''))
    .replace('__DATA__', () => data)
}

function operationOf(view: CommandView, base: string, group: string): PageOperation {
  return {
    path: `${base}/${view.address}`,
    group,
    summary: view.def.summary,
    mutation: view.mutation,
    open: view.def.open === true,
    errors: errorsOf(view.def),
    about: `/docs/commands#${anchorOf(view.def.v1 === false ? view.address : view.def.name)}`,
    params: view.params.map(paramOf),
  }
}

function paramOf({ name, schema, required }: ParameterView): PageParam {
  const {
    description = '',
    examples = [],
    enum: values = [],
  } = schema as {
    description?: string
    examples?: unknown[]
    enum?: string[]
  }
  const [example = null] = examples
  return { name, type: typeName(schema), required, description, example, values }
}

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--dim:#777;--accent:#2a6fdb;--on:#fff;--mut:#b5541c}
@media (prefers-color-scheme:dark){:root{--dim:#999;--accent:#7ab0ff;--on:#0b1a33;--mut:#ff9d5c}}
*{box-sizing:border-box}html{scroll-padding-top:4.5rem}body{margin:0;font:15px/1.5 system-ui,sans-serif}
header{position:sticky;top:0;z-index:1;padding:.7rem 1rem;background:Canvas;border-bottom:1px solid var(--line);
display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
h1{font-size:1.1rem;margin:0 1rem 0 0}h2{font-size:1rem;margin:1.6rem 0 .4rem}
main{max-width:60rem;margin:auto;padding:0 1rem 4rem}header nav{display:flex;gap:.8rem;margin-left:auto}
a{color:var(--accent)}summary .dim{overflow-wrap:anywhere}.about{display:flex;gap:.3rem 1rem;flex-wrap:wrap}
input,select,textarea,button{font:inherit;padding:.25rem .5rem;border:1px solid var(--line);border-radius:4px;
background:Field;color:FieldText}
button{cursor:pointer;background:var(--accent);color:var(--on);border:0}button[disabled]{opacity:.5}
details{border:1px solid var(--line);border-radius:6px;margin:.3rem 0}summary{cursor:pointer;padding:.4rem .7rem}
code{font-family:ui-monospace,monospace;font-size:.92em}.dim{color:var(--dim)}
.tag{font-size:.75em;border:1px solid;border-radius:3px;padding:0 .3em;margin-left:.4em;color:var(--mut)}
form{padding:.2rem .7rem .8rem;display:grid;gap:.5rem}
label{display:grid;grid-template-columns:11rem 1fr;gap:.2rem .6rem}
label small{grid-column:2;color:var(--dim)}pre{margin:0;padding:.6rem;overflow:auto;max-height:26rem;
background:color-mix(in srgb,CanvasText 7%,Canvas);border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere}
details.here{outline:2px solid var(--accent)}
@media (max-width:40rem){label{grid-template-columns:1fr}label small{grid-column:1}
header{position:static}header nav{margin-left:0}header input{width:100%}html{scroll-padding-top:1rem}}`

const SCRIPT = `
const {base,version,operations}=JSON.parse(document.getElementById('data').textContent)
const key='session-v'+version,$=id=>document.getElementById(id)
const el=(tag,props={},...kids)=>{const e=Object.assign(document.createElement(tag),props);e.append(...kids);return e}
let session=sessionStorage.getItem(key)||''
function show(){$('session').textContent=session?session.slice(0,12)+'…':'none'}
function forget(){session='';sessionStorage.removeItem(key);show()}
function keep(id){if(id&&id!==session){session=id;sessionStorage.setItem(key,id);show()}}
async function send(path,body){
  const headers={'content-type':'application/json'};if(session)headers['x-session-id']=session
  const started=performance.now()
  const answer=await fetch(path,{method:'POST',headers,body:JSON.stringify(body)})
  const text=await answer.text();let json;try{json=JSON.parse(text)}catch{}
  keep(json&&json.session&&json.session.id)
  if(json&&json.error&&json.error.code==='session_invalid')forget()
  return {status:answer.status,ms:Math.round(performance.now()-started),json,text}
}
function read(param,input){
  const raw=input.value.trim();if(raw==='')return undefined
  if(param.type==='string')return input.value
  if(param.type==='boolean')return raw==='true'
  if(param.type==='integer'||param.type==='number')return Number(raw)
  try{return JSON.parse(raw)}catch{return raw}
}
function fieldOf(param){
  const values=param.type==='boolean'?['true','false']:param.values
  if(values.length)return el('select',{required:param.required},
    ...['',...values].map(v=>el('option',{value:v,textContent:v})))
  const long=!['string','integer','number'].includes(param.type)
  const hint=param.example===null?'':typeof param.example==='string'?param.example:JSON.stringify(param.example)
  const shared={placeholder:hint,required:param.required,autocomplete:'off'}
  // The type of a textarea cannot be set.
  return long?el('textarea',{...shared,rows:2}):el('input',{...shared,type:param.name==='password'?'password':'text'})
}
function formOf(op){
  const inputs=op.params.map(p=>[p,fieldOf(p)]),out=el('pre',{hidden:true,tabIndex:0}),go=el('button',{textContent:'Send'})
  const form=el('form',{},...inputs.map(([p,input])=>el('label',{},
    el('span',{},el('code',{textContent:p.name}),
      el('span',{className:'dim',textContent:' '+p.type+(p.required?', required':'')})),
    input,el('small',{textContent:p.description}))),el('div',{},go))
  out.setAttribute('role','status')
  const about=el('div',{className:'about dim'},el('a',{href:op.about,textContent:'Documentation'}))
  for(const code of op.errors)about.append(el('a',{href:'/docs/errors#'+code,textContent:code}))
  form.append(about,out)
  form.onsubmit=async event=>{
    event.preventDefault();go.disabled=true;out.hidden=false
    out.textContent=op.mutation?'Waiting for the tick…':'…'
    const body={};for(const [p,input] of inputs){const v=read(p,input);if(v!==undefined)body[p.name]=v}
    try{const a=await send(op.path,body)
      const said=a.json&&typeof a.json.result==='string'?a.json.result+'\\n\\n':''
      out.textContent=a.status+' in '+a.ms+' ms\\n\\n'+said+(a.json?JSON.stringify(a.json,null,2):a.text)
    }catch(error){out.textContent=String(error)}
    go.disabled=false
  }
  return form
}
const groups=new Map()
for(const op of operations)groups.set(op.group,[...(groups.get(op.group)||[]),op])
const rows=[]
for(const [name,ops] of groups){
  const section=el('section',{},el('h2',{textContent:name}))
  for(const op of ops){
    const row=el('details',{id:'op/'+op.path.slice(base.length+1)},el('summary',{},el('code',{textContent:op.path.slice(base.length+1)}),
      op.mutation?el('span',{className:'tag',textContent:'mutation'}):'',
      el('span',{className:'dim',textContent:' '+op.summary})))
    row.ontoggle=()=>{if(row.open&&!row.lastElementChild.matches('form'))row.append(formOf(op))}
    rows.push([row,section,(op.path+' '+op.summary+' '+op.group).toLowerCase()]);section.append(row)
  }
  $('list').append(section)
}
function filter(){
  const words=$('find').value.toLowerCase().split(/\\s+/),shown=new Set();let count=0
  for(const [row,section,text] of rows){
    row.hidden=!words.every(w=>text.includes(w));if(!row.hidden){shown.add(section);count++}
  }
  for(const [,section] of rows)section.hidden=!shown.has(section)
  $('count').textContent=count+(count===1?' command':' commands')
}
$('find').oninput=filter
$('make').onclick=async()=>{
  session='';let said=''
  try{const a=await send(base+'/session',{});if(!session)said=a.status+': '+a.text}catch(error){said=String(error)}
  $('said').textContent=said;show()
}
$('forget').onclick=forget
function openNamed(){
  const row=$('op/'+decodeURIComponent(location.hash.slice(1)))
  if(!row)return
  for(const [other] of rows)other.classList.toggle('here',other===row)
  $('find').value='';filter();row.open=true;row.scrollIntoView()
}
addEventListener('hashchange',openNamed)
show();filter();openNamed()`

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>__TITLE__</title><style>${STYLE}</style></head><body>
<header><h1>__TITLE__ <span class="dim">__VERSION__</span></h1>
<input id="find" type="search" placeholder="Find a command" aria-label="Find a command">
<span>Session: <code id="session" aria-live="polite"></code></span>
<button id="make" type="button">New session</button><button id="forget" type="button">Forget</button>
<nav aria-label="Pages"><a href="/docs">Documentation</a><a href="__OTHER__">Explorer __OTHER__</a>
<a href="__OPENAPI__">OpenAPI</a></nav></header>
<main><p class="dim">Make a session, register or log in, then send commands. Mutations wait for their tick.
<span id="count" aria-live="polite"></span></p><p id="said" role="alert"></p>
<div id="list"></div></main>
<script type="application/json" id="data">__DATA__</script><script>${SCRIPT}</script></body></html>
`

/** Headers the page is served with: only its own inline parts run, only this server is asked. */
export const EXPLORER_HEADERS = inlinePageHeaders(STYLE, SCRIPT)
