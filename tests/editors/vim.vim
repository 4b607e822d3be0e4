" Run by test_vim.py: edits a document, and writes what ALE shows after each change into state.json.

let s:states = []

function! s:Codes() abort
  return map(copy(ale#engine#GetLoclist(bufnr())), {_, item -> get(item, 'code', '')})
endfunction

" Wait for a change of the diagnostics, and record them.
function! s:Record(code, is_shown) abort
  let l:start = reltime()
  while (index(s:Codes(), a:code) >= 0) != a:is_shown && reltimefloat(reltime(l:start)) < 60
    sleep 20m
  endwhile
  let l:items = copy(ale#engine#GetLoclist(bufnr()))
  call add(s:states, map(l:items, {_, item -> [get(item, 'code', ''), item.lnum, item.col]}))
endfunction

function! s:Edit(command) abort
  execute a:command
  call ale#Queue(0)
endfunction

function! s:Run() abort
  edit draft.rui.json
  call ale#Queue(0)
  call s:Record('UNKNOWN_TYPE', v:true)
  let l:signs = len(sign_getplaced(bufnr(), {'group': '*'})[0].signs)
  call s:Edit('%s/"Txt"/"Text"/')
  call s:Record('UNKNOWN_TYPE', v:false)
  call s:Edit('normal! ggx')
  call s:Record('INVALID_JSON', v:true)
  let l:answer = {'states': s:states, 'type': &filetype, 'syntax': &syntax, 'signs': l:signs}
  call writefile([json_encode(l:answer)], 'state.json')
endfunction

call s:Run()
qall!
