"""DATA: what other systems and careless authors call the properties, node types and values of the vocabulary.

The words come from Adaptive Cards, A2UI, JSON Forms, Grafana dashboards, Retool, Appsmith, Ant Design, MUI X DataGrid,
AG Grid, TanStack Table, Vega-Lite, HTML, OpenAPI, HTTP clients, and from documents that language models wrote without
knowing RUI. Letter case, separators, and singular or plural do not matter. The likeliest alias comes first: of several
that an object contains, the first is read. `rui_common.vocabulary.aliases` looks them up.
"""

from __future__ import annotations

PROPS = {
    # The document
    "RUI.version": """
        schemaVersion ruiVersion specVersion formatVersion vocabularyVersion registryVersion apiVersion appVersion
        documentVersion docVersion configVersion dslVersion protocolVersion languageVersion uiVersion fileVersion
        versionNumber version_id semver ver vers v rev revision release schema $schema openapi swagger format edition
        """,
    "RUI.meta": """
        metadata metaData info information app application about manifest config configuration settings setting
        appInfo appMeta appMetadata appConfig appSettings appDetails documentInfo docInfo pageMeta general head header
        descriptor details properties props options project product workspace branding brand globals attributes
        frontmatter preamble summary annotations context
        """,
    "RUI.navigation": """
        nav navs navigations menu menuBar mainMenu sideMenu appMenu topMenu sidebar sideBarMenu sidenav sideNavigation
        mainNav mainNavigation navbar navMenu navigationMenu navigationBar navItems navigationItems navLinks menuItems
        navConfig navigator tabBar bottomNav bottomTabs bottomNavigation drawer drawerMenu toolbar topbar topNav
        leftNav leftMenu rail navRail links router routing appBar breadcrumb sitemap siteMap shell primaryNavigation
        """,
    "RUI.pages": """
        screens views routes tabs dashboards panes windows slides scenes frames sheets canvases states surfaces
        pageList pageDefs pageDefinitions pageConfigs allPages appPages screenList screenDefinitions viewList layouts
        layout documents sites activities subpages children body content contents items nodes elements ui root
        components forms templates steps paths
        """,
    "Meta.title": """
        name appName appTitle applicationName applicationTitle displayName label heading header headline caption
        projectName siteName siteTitle productName documentTitle docTitle titleText longName fullName shortName brand
        """,
    "Meta.description": """
        desc descr summary subtitle about details purpose tagline info abstract intro introduction overview blurb text
        goal help synopsis documentation comment note longDescription shortDescription appDescription subheading
        """,
    "Navigation.items": """
        entries links menu menuItems navItems navigationItems navLinks routes pages children tabs elements options
        list nodes tree buttons main primary destinations targets screens views data nav content contents menus
        sections groups left top body itemList linkList menuList records actions
        """,
    "NavigationItem.pageId": """
        page pageRef pageKey pageName pageSlug pageLink targetPage targetPageId toPage openPage target targetId
        targetScreen screen screenId screenName screenRef view viewId viewName tab tabId route routeName routeId
        routeTo to ref reference link linkTo linksTo linkId href url uri path destination dest goto navigateTo
        navigate opens id key value slug component pointer content action src
        """,
    "NavigationItem.label": """
        title text name caption heading displayName header labelText menuText display menuLabel linkText itemLabel
        description
        """,
    # Nodes
    "id": """
        key uid uuid guid _id identifier ident nodeId elementId componentId widgetId blockId itemId controlId panelId
        objectId domId htmlId testId internalId uniqueId ref refId reference slug handle code anchor cid oid
        widgetName componentName controlName nodeName blockName symbol shortName
        """,
    "type": """
        kind component componentType widget widgetType blockType nodeType elementType controlType itemType panelType
        nodeKind blockKind viewType pageType sectionType element tag tagName typeName _type @type $type __typename
        class className xtype variant viz visualization visualisation visualizationType vizType is object role control
        block node shape mark category clazz
        visualType visualKind chartType displayKind
        """,
    "Page.id": """
        route path url href uri link screenId viewId tabId routeId pageKey pageSlug pageRef pageId screenName viewName
        routeName
        """,
    "Page.title": """
        name label heading header headline caption text displayName pageTitle pageName pageHeading pageHeader
        pageLabel screenTitle viewTitle viewLabel tabTitle tabLabel titleText displayTitle documentTitle navTitle h1
        """,
    "Page.description": """
        desc descr summary subtitle subheading subheader subhead about details purpose info intro introduction
        overview help helpText helperText tagline lead hint blurb note abstract excerpt goal pageDescription
        explanation documentation comment tooltip synopsis
        """,
    "Page.children": """
        sections blocks items elements components widgets content contents body cards panels rows layout layouts areas
        groups regions containers nodes columns cols grid main slots zones tiles views controls modules parts entries
        inner structure child childNodes childComponents sectionList pageSections pageContent pageBody boxes render
        subsections subviews segments data fields ui uischema root
        """,
    "Section.title": """
        name label heading header headline caption text displayName legend sectionTitle sectionName sectionHeading
        sectionHeader sectionLabel groupTitle groupName groupLabel titleText displayTitle panelTitle cardTitle
        subtitle
        """,
    "Section.direction": """
        layout orientation flow arrangement flexDirection flex display align alignment axis dir stackDirection mode
        arrange placement layoutDirection layoutType layoutMode layoutStyle flexFlow stacking stackOrientation
        directionality style disposition position flowDirection gridDirection itemsDirection childrenDirection
        """,
    "Section.children": """
        blocks items elements components widgets content contents body cards panels nodes fields cells tiles controls
        modules parts entries inner slots child childNodes childComponents blockList sectionItems sectionContent
        columns cols rows boxes views list members metrics kpis stats groups subsections subviews segments data main
        explicitList pieces gadgets portlets facts charts visuals contains
        dashcards visualContainers tileList cardList
        """,
    # Blocks
    "Metric.label": """
        title name heading header headline caption text displayName metricName metricLabel metricTitle metric kpiName
        kpi kpiLabel kpiTitle statLabel statName statTitle valueLabel displayLabel labelText titleText legend measure
        subject subtitle subheading cardTitle tileTitle statistic desc description tooltip
        """,
    "Metric.binding": """
        data dataSource datasources source sources query queries request requests api endpoint fetch fetcher value
        bind valueBinding valueSource valueFrom dataBinding dataBindings dataRef dataQuery dataConfig dataProvider
        dataUrl readBinding bindTo boundTo sourceConfig apiCall apiConfig apiEndpoint apiRequest call url uri href src
        route path loader provider remote connection connector resource backend get rest http service read load from
        target targets dataset input model store values field expr expression select origin valueQuery apiPath
        """,
    "Metric.format": """
        valueFormat displayFormat formatter formatting numberFormat valueType dataType displayAs displayType renderAs
        formatAs formatType formatString valueFormatter formatOptions fmt show presentation outputFormat style render
        renderer display numeric valueStyle datatypeFormat
        """,
    "Table.title": """
        label name heading headline caption tableName tableTitle tableLabel tableHeading text displayName titleText
        displayTitle legend cardTitle listTitle gridTitle subtitle description desc
        """,
    "Table.binding": """
        data dataSource datasources source sources query queries request requests api endpoint fetch fetcher bind
        dataBinding dataBindings dataRef dataQuery dataConfig dataProvider dataUrl tableData rowData rowsBinding
        rowSource rowsSource readBinding bindTo boundTo sourceConfig apiCall apiConfig apiEndpoint apiRequest call url
        uri href src route path loader provider remote connection connector resource backend get rest http service
        read load from target targets dataset input model store values value rows records items entries list
        collection results content origin feed apiPath
        """,
    "Table.columns": """
        cols fields columnDefs colDefs columnDefinitions columnConfig columnsConfig columnList columnSpecs columnModel
        colModel tableColumns gridColumns primaryColumns displayColumns visibleColumns headers header tableHeaders
        headings headerRow schema attributes properties props cells structure fieldList fieldDefs displayFields
        listFields visibleFields aoColumns columnSettings columnOptions columnOrder columnMapping thead encoding
        dimensions
        """,
    "Table.filter": """
        filters filterBy filterBar filterConfig filterModel filtering filterOptions filterField filterColumn
        filterable filterSpec filterDef columnFilter columnFilters quickFilter quickFilters tableFilter tableFilters
        facet facets where search searchBy searchBar refine refinement criteria condition conditions predicate
        dropdown staticFilter
        slicer slicers parameter parameters selector
        """,
    "Text.content": """
        text body value markdown md html contents copy message textContent innerText innerHTML richText plainText
        string paragraph paragraphs children child source words prose rawText rawContent bodyText contentText literal
        literalString textValue displayText title label heading header headline caption description desc details note
        notes info data template html5 txt summary statement data_text defaultText
        """,
    # Bindings
    "ReadBinding.type": """
        kind operation op mode action bindingType bindingKind sourceType dataSourceType intent access requestType
        queryType operationType actionType accessMode dataType sort sourceKind protocol
        """,
    "ReadBinding.method": """
        verb httpMethod httpVerb requestMethod http_verb http restMethod methodType methodName requestVerb apiMethod
        """,
    "ReadBinding.path": """
        url uri endpoint href route api apiUrl apiPath apiEndpoint apiRoute resource resourcePath resourceUrl src
        source link address target location baseUrl requestUrl requestPath endpointUrl endpointPath urlPath
        urlTemplate uriPath pathname service serviceUrl from dataUrl remoteUrl request fetch to webservice fullUrl
        dataSource datasource server urlString sourceUrl httpPath file query queryUrl ref dataEndpoint
        """,
    "ReadBinding.valuePath": """
        jsonPath dataPath responsePath resultPath selector valueSelector dataSelector rowsPath rowPath itemsPath
        listPath arrayPath collectionPath recordsPath recordPath propertyPath fieldPath rootPath metricPath outputPath
        bodyPath contentPath keyPath objectPath field fields key keys valueKey dataKey rowsKey itemsKey listKey
        resultKey responseKey valueField dataField resultField select selects extract extractor pick property prop
        accessor expression expr jmesPath jsonata jq json_pointer pointer root value values data dataRoot transform
        map mapping response result results output returns rows items list records path_in_response valueRef valueProp
        valueProperty dataProperty dataProp rootProperty projection pluck dot_path dotPath subPath column attribute
        lens
        dataIndex jsonpathExpression rootSelector pathExpression rowSelector resultSelector
        """,
    # Tables
    "Column.key": """
        field dataIndex accessorKey accessor dataKey dataField fieldName fieldKey fieldId fieldPath columnKey columnId
        colId columnField id prop property propertyName attribute attributeName attr path valuePath dataPath jsonPath
        selector binding bind source sourceField mapping map expression expr variable var ref dbField dbColumn
        dataProperty dataProp objectKey keyName keyPath code slug identifier uid value valueKey valueField valueGetter
        accessorFn accessKey data mData sortKey name column columnName col originalId target dimension
        sourceKey sourceColumn columnPath
        """,
    "Column.label": """
        header headerName title text caption heading displayName columnTitle columnHeader columnLabel headerText
        headerTitle headerLabel displayLabel displayText alias titleText headerContent displayTitle description
        headline
        """,
    "Column.type": """
        format dataType columnType cellType kind valueType renderer render cellRenderer formatter formatAs fieldType
        variant dtype displayType renderAs displayAs cellFormat cell formatType
        """,
    "TableFilter.field": """
        column columnKey columnId columnName columnField key dataIndex by filterBy filterField filterKey filterColumn
        on prop property propertyName name accessor accessorKey dataField dataKey fieldName fieldKey fieldId id colId
        attribute attr path source target col parameter param dimension ref select variable
        """,
    "TableFilter.label": "title text caption placeholder heading displayName labelText header description prompt",
    "TableFilter.options": """
        values choices items enum list data selections selectOptions menuItems entries filterOptions enumValues oneOf
        allowedValues filters optionList valueOptions set possibleValues domain
        """,
    "FilterOption.value": "key id code const val optionValue data",
    "FilterOption.label": "text name title caption displayName display optionLabel description",
}
"""Shape and property → the words for the property. ``id`` and ``type`` belong to every node."""

NODES = {
    "Page": """
        screen view route tab dashboard window slide pane scene frame sheet canvas document activity surface site
        pageView pageNode appPage webPage tabPage pageLayout screenView viewport panel container layout homePage home
        detailPage listPage overview landingPage report subpage adaptiveCard application app article state step
        """,
    "Section": """
        group container panel card box row column col stack layout grid flex flexBox fieldset div region area hstack
        vstack zstack horizontal vertical horizontalLayout verticalLayout horizontalStack verticalStack columnSet
        wrapper segment tile block aside category columnLayout rowLayout cluster accordion collapse collapsible well
        zone paper surface stackLayout flexLayout gridLayout flexRow flexColumn pane frame sectionBlock sectionNode
        cards cardGroup cardGrid groupBox widgetGroup buttonGroup kpiRow statsRow metricGroup list listView part
        module article header body main footer canvas content hbox vbox hconcat vconcat concat actionSet controlGroup
        space layoutSection containerWidget containerBlock widgetContainer expander gridContainer gridRow
        categorization tab
        """,
    "Metric": """
        kpi stat statistic scorecard score card number figure indicator gauge counter count value tile bigNumber
        singleStat singleValue numberCard numberTile metricCard metricTile metricBlock metricWidget metricNode kpiCard
        kpiTile kpiBlock kpiWidget kpiIndicator statCard statTile statBlock statBox statWidget statPanel statboxWidget
        statsCard statisticCard scoreWidget valueCard valueTile valueBlock dataPoint keyFigure keyMetric keyValue
        highlight measure total sum amount numeric numericValue numberDisplay numberWidget progress badge aggregate
        average summaryCard summary infoCard fact factSet displayNumber metricDisplay headlineNumber bignum meter
        numberBlock metricView metricPanel kpiPanel cardMetric callToValue
        scalar multiRowCard queryValue singleNumber singleValueCard digit digits digitCard cardVisual
        """,
    "Table": """
        dataTable grid dataGrid list listView tableView tableBlock tableWidget tableNode tablePanel tableComponent
        spreadsheet records recordList rowList dataList dataView agGrid agGridReact smartTable proTable reactTable
        tanstackTable muiDataGrid antTable materialTable simpleTable basicTable crud queryTable crossTab pivotTable
        pivot collection repeater matrix tabular table_v2 tableChart gridView gridWidget listWidget listBlock
        detailsList treeTable crudTable dataTableWidget sheet ledger log logs index arrayLayout
        tableWidgetV2 tableV2 tableLegacy tableOld legacyTable dataframe lookerGrid tableVisual matrixVisual
        """,
    "Text": """
        paragraph markdown md heading header richText richTextBlock richTextEditor textBlock textWidget textNode
        textPanel textView textBox textContent textElement textComponent textArea title subtitle subheading html
        htmlBlock htmlPanel note notice caption p h1 h2 h3 h4 h5 h6 span typography copy description string body
        content static staticText message alert callout banner info infoBox plainText label headline quote blockquote
        hint help helpText annotation comment lead prose words paragraphBlock headingBlock markdownBlock
        markdownWidget markdownPanel markdownText footer disclaimer intro explanation contentBlock formattedText
        textLabel literal documentation displayText pre
        """,
}
"""Node type → the words for it. A word may belong to types that are allowed in different places."""

NO_NODES = """
    chart graph plot barChart lineChart pieChart areaChart donut histogram heatmap scatter image img icon picture avatar
    input textInput textField field select selection dropdown checkbox radio slider toggle switch datePicker upload
    video audio media map calendar divider spacer separator modal dialog link menu rating tree timeline tooltip popover
    carousel stepper steps action actions iframe embed code editor search pagination filter toast spinner skeleton
    """
"""Words of other systems for what the vocabulary does not have. They are no misspelt types."""

VALUES = {
    "direction": {
        "stack": """
            vertical column col vstack vbox down block list topToBottom ttb tb stacked verticalStack verticalLayout
            flexColumn columnReverse yAxis vconcat vert normal single singleColumn default one verticalList below
            topDown vertically full fullWidth
            """,
        "row": """
            horizontal hstack hbox inline grid flex sideBySide leftToRight ltr lr horizontalStack horizontalLayout
            flexRow rowReverse xAxis hconcat horiz horizontalList across line inlineFlex multiColumn twoColumn
            wrap columnSet split cards tiles gridLayout columnLayout beside horizontally
            """,
    },
    "format": {
        "number": """
            numeric num integer int float double decimal currency money percent percentage count amount quantity value
            euro eur usd dollar price bytes byte ratio rate compact long bigint scientific short counter total
            duration seconds milliseconds ms none digit
            """,
        "text": """
            string str plain plainText label raw date datetime time timestamp char varchar literal words html markdown
            default auto any relativeTime
            """,
    },
    "binding": {
        "read": """
            query queries get fetch rest http https api request load select list json url endpoint ajax xhr retrieve
            readOnly readBinding readData fetchData getData data dataSource source static remote apiCall apiRequest
            restApi httpRequest httpGet httpRead find search pull lookup in input inbound oneWay reading collection
            graphql binding view show subscribe r restQuery server reader loader resource
            """,
    },
    "method": {
        "GET": "read fetch query retrieve load list select find httpGet getRequest g",
    },
    "column": {
        "string": "text str varchar plain char textColumn singleLineText stringColumn default",
        "number": "numeric num integer int float double decimal currency money percent percentage amount rightAligned",
        "date": "datetime time timestamp day dateTimeOffset dateString dateColumn calendar temporal",
        "badge": "tag chip pill status label enum category singleSelect select option state",
    },
}
"""Sort of enum → value → the words for it."""

ANY = "*"
"""As the aliases of a value: every scalar that is not allowed stands for this value, as there is no other."""
