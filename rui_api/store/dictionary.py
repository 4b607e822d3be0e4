"""DATA: the dictionary of compressed specs: what most of them contain, the most frequent parts at the end.

It never changes, because stored specs could not be read without it. A better one gets another marker in
`rui_api.store.rows`.
"""

from __future__ import annotations

DICTIONARY_1 = (
    b'{"version":"0.1","meta":{"title":"","description":""},"navigation":{"items":[{"pageId":"overview","l'
    b'abel":"Overview"},{"pageId":"'
    b'customer","email","address","amount","total","price","currency","quantity","count","created","update'
    b'd","date","time","name","'
    b'Status","options":[{"label":"Active","value":"active"},{"label":"Open","value":"open"},{"label":"Clo'
    b'sed","value":"closed"},'
    b'"format":"currency"},"format":"percent"},"format":"text"},"format":"date"},"type":"datetime"},"type"'
    b':"date"},"type":"number"},"type":"badge"},"type":"text"},'
    b'{"key":"id","label":"Id"},{"key":"createdAt","label":"Created"},{"key":"name","label":"Name"},'
    b'"direction":"row","children":[{"id":"'
    b'"pages":[{"id":"overview","type":"Page","title":"Overview","description":"","children":[{"id":"summa'
    b'ry","type":"Section","title":"Summary","direction":"stack","children":[{"id":"'
    b'"type":"Text","content":"'
    b'","type":"Metric","label":"","binding":{"type":"read","method":"GET","path":"/api/summary","valuePat'
    b'h":"data.total"},"format":"number"},{"id":"'
    b'","type":"Table","title":"","binding":{"type":"read","method":"GET","path":"/api/items","valuePath":'
    b'"data.items"},"columns":[{"key":"status","label":"Status","type":"badge"}],"filter":{"field":"status'
    b'","label":"Status","options":[{"label":"","value":"'
    b'"}]}}]}]},{"id":"","type":"Page","title":"","children":[{"id":"","type":"Section","title":"","direct'
    b'ion":"stack","children":[{"id":"'
    b'","binding":{"type":"read","method":"GET","path":"/api/'
)
